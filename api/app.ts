import { randomUUIDv7 } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { a2aRoutes, isA2aAddress, sendUnroutable } from './a2a/a2a.routes.ts';
import { adminRoutes } from './admin/admin.routes.ts';
import { authenticateBy } from './auth/authenticate.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { jwksRoute } from './auth/jwks.routes.ts';
import { openKeyUseLog } from './auth/key-use-log.ts';
import { callbackRoutes } from './capability/callback.routes.ts';
import { capabilityRoutes } from './capability/capability.routes.ts';
import { categoryRoutes } from './category/category.routes.ts';
import { connectionRoutes } from './connection/connection.routes.ts';
import type { Deps } from './deps.ts';
import { deviceRoutes } from './device/device.routes.ts';
import { registerErrorHandler, unroutableHandler } from './error-handler.ts';
import { healthRoutes } from './health/health.routes.ts';
import { invocationRoutes } from './invocation/invocation.routes.ts';
import { pageRoutes } from './page/page.routes.ts';
import { logRedaction } from './log.ts';
import { mcpRoute } from './mcp/mcp.routes.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { routeAdder } from './route.ts';
import { watchRoutes } from './route-table.ts';
import { eventStreamRoute } from './stream/event-stream.routes.ts';
import { feedRoutes } from './stream/feed.routes.ts';
import { transactionRoutes } from './transaction/transaction.routes.ts';
import { walletRoutes } from './wallet/wallet.routes.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';

const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP service: plugins, then the resources. It does not listen. */
export async function buildApi(deps: Deps): Promise<FastifyInstance> {
  const unroutable = unroutableHandler(deps.now);
  const app = fastify({
    logger: { level: deps.settings.logLevel, redact: logRedaction },
    bodyLimit: bodyLimitBytes,
    trustProxy: deps.settings.trustProxy,
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 200 },
    genReqId: () => randomUUIDv7(),
    frameworkErrors: (error, request, reply) =>
      isA2aAddress(request.url) ? sendUnroutable(request, reply) : unroutable(error, request, reply),
  });
  // A string is no request body here: only JSON is read.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller', null);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients send the header on every POST; an operation without a body has nothing to parse.
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  const routeTable = watchRoutes(app);
  app.decorate('routeTable', routeTable);
  registerErrorHandler(app, routeTable, deps.now);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await app.register(cors, {
    origin: deps.settings.corsOrigins.length === 0 ? false : [...deps.settings.corsOrigins],
    exposedHeaders: ['x-request-id', 'idempotent-replayed', 'retry-after'],
    maxAge: 600,
  });
  await app.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });
  await registerRateLimit(app, deps);
  await registerOpenApi(app, deps.settings);

  const authenticate = authenticateBy(deps, openKeyUseLog(app, deps));
  await app.register(async (scope) => {
    const add = routeAdder(scope, deps, authenticate);
    categoryRoutes(add);
    authRoutes(add);
    deviceRoutes(add);
    connectionRoutes(add);
    walletRoutes(add);
    capabilityRoutes(add);
    callbackRoutes(add);
    invocationRoutes(add);
    transactionRoutes(add);
    webhookRoutes(add);
    adminRoutes(add);
    eventStreamRoute(scope, deps, authenticate);
    feedRoutes(add, deps);
    await a2aRoutes(scope, deps, authenticate);
    await mcpRoute(scope, deps, authenticate);
    jwksRoute(scope, deps);
    pageRoutes(scope);
    healthRoutes(scope, deps);
  });
  return app;
}
