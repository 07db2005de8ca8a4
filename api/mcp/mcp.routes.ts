import { Readable } from 'node:stream';
import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MarketplaceError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { checkAccess, type Authenticate } from '../route.ts';
import { StreamLimit } from '../stream/stream-limit.ts';
import { addressGuard } from './address-guard.ts';
import { refuse } from './http-refusal.ts';
import { mcpServer, type ServerExtension } from './mcp-server.ts';
import type { Exchange } from './tool-call.ts';
import { maxWaitsPerUser } from './wait.tools.ts';

/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, of 2025-11-25 and 2026-07-28 on one address. Each request stands
 * for itself: it brings its credentials, and any node answers it. Not part of the OpenAPI description.
 */
export async function mcpRoute(
  app: FastifyInstance,
  deps: Deps,
  authenticate: Authenticate,
  extension?: ServerExtension,
): Promise<void> {
  const guard = addressGuard(deps.settings);
  const waits = new StreamLimit({ perUser: maxWaitsPerUser, total: deps.settings.streamsPerProcess });
  const handler = createMcpHandler(({ authInfo }) => mcpServer(exchangeOf(authInfo), extension), {
    onerror: (error) => app.log.debug({ err: error }, 'MCP request refused'),
  });
  app.addHook('onClose', async () => await handler.close());
  await app.register(async (scope) => {
    scope.setErrorHandler(refuse);
    scope.route({
      method: ['POST', 'GET', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      schema: { hide: true },
      onRequest: async (request) => guard(request),
      preValidation: async (request) => {
        request.caller = checkAccess('caller', await authenticate(request));
      },
      handler: async (request, reply) => {
        const caller = checkAccess('caller', request.caller);
        return await reply.send(await serve(handler, request, reply, { deps, request, caller, waits }));
      },
    });
  });
}

/** What a tool may do is asked for at each call, as their operations differ. */
async function serve(
  handler: McpHttpHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  exchange: Exchange,
): Promise<Response> {
  const { body: parsedBody } = request;
  if (request.method === 'POST') checkOneMessage(parsedBody);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const webRequest = await toWebRequest(nodeRequestOf(request), parsedBody, { signal: gone.signal });
  const given = request.method === 'POST' ? { parsedBody } : {};
  return await handler.fetch(webRequest, { ...given, authInfo: authInfoOf(exchange) });
}

/** The part of a request that is converted; its body has been read. */
function nodeRequestOf({ method, url, headers }: FastifyRequest): NodeIncomingMessageLike {
  return Object.assign(Readable.from([]), { method, url, headers });
}

/** A batch would count as one request however much it asks for; both revisions have done away with them. */
function checkOneMessage(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw new MarketplaceError('malformed_request', null, { text: 'Send one JSON-RPC message a request.' });
}

/** How the SDK hands on who calls; the credential itself stays out of it. */
function authInfoOf(exchange: Exchange): AuthInfo {
  return { token: '', clientId: exchange.caller.userId, scopes: [], extra: { exchange } };
}

function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  return authInfo?.extra?.['exchange'] as Exchange;
}
