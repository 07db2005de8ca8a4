import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { v7 } from 'uuid';
import { adminRoutes } from './admin/admin.routes.ts';
import { authenticateBy } from './auth/authenticate.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { jwksRoute } from './auth/jwks.routes.ts';
import { callbackRoutes } from './capability/callback.routes.ts';
import { capabilityRoutes } from './capability/capability.routes.ts';
import { categoryRoutes } from './category/category.routes.ts';
import type { Deps } from './deps.ts';
import { registerErrorHandler, unroutableHandler } from './error-handler.ts';
import { healthRoutes } from './health/health.routes.ts';
import { invocationRoutes } from './invocation/invocation.routes.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { routeAdder } from './route.ts';
import { watchRoutes } from './route-table.ts';
import { eventStreamRoute } from './stream/event-stream.routes.ts';
import { transactionRoutes } from './transaction/transaction.routes.ts';
import { walletRoutes } from './wallet/wallet.routes.ts';

const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP service: plugins, then the resources. It does not listen. */
export async function buildApi(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    logger: { level: deps.settings.logLevel, redact: ['req.headers.authorization', 'req.headers["x-api-key"]'] },
    bodyLimit: bodyLimitBytes,
    trustProxy: deps.settings.trustProxy,
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 200 },
    genReqId: () => v7(),
    frameworkErrors: unroutableHandler(deps.now),
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
  registerErrorHandler(app, watchRoutes(app), deps.now);
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

  const authenticate = authenticateBy(deps);
  await app.register(async (scope) => {
    const add = routeAdder(scope, deps, authenticate);
    categoryRoutes(add);
    authRoutes(add);
    walletRoutes(add);
    capabilityRoutes(add);
    callbackRoutes(add);
    invocationRoutes(add);
    transactionRoutes(add);
    adminRoutes(add);
    eventStreamRoute(scope, deps, authenticate);
    jwksRoute(scope, deps);
    healthRoutes(scope, deps);
  });
  return app;
}
