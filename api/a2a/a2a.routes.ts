import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '../../domain/errors.ts';
import type { Caller } from '../../domain/caller.ts';
import { jwksPath } from '../auth/jwks.routes.ts';
import type { Deps } from '../deps.ts';
import { toMarketplaceError } from '../error-handler.ts';
import { checkAccess, checkOperation, type Authenticate } from '../route.ts';
import { cardAnswer, sharedCard, v0Card } from './agent-card.ts';
import { sendError, sendResponse, sendStream, type Asker } from './answer.ts';
import { signCard } from './card-signature.ts';
import { dispatch, isStream } from './dispatch.ts';
import { rpcIdOf } from './json-rpc.ts';
import { ProtocolFault } from './protocol-fault.ts';
import type { Generation } from '../../domain/a2a/task-state.ts';

const base = '/api/v1/a2a';

/** Clients of v0.1 add the method to the address, or a word of their own. */
const v0Aliases = ['/v0/rpc', '/v0/tasks/:method'];

/** Agent-to-agent, in three generations: the cards, and one address for 1.0 and 0.3, another for v0.1. */
export async function a2aRoutes(scope: FastifyInstance, deps: Deps, authenticate: Authenticate): Promise<void> {
  const hidden = { schema: { hide: true } } as const;
  const { publicUrl } = deps.settings;
  const signed = await signCard(sharedCard(publicUrl), deps.secrets.cardKeys, `${publicUrl}${jwksPath}`);
  const [sendShared, sendV0] = [cardAnswer(signed), cardAnswer(v0Card(publicUrl))];
  for (const url of ['/.well-known/agent-card.json', `${base}/agent-card`, `${base}/agent-card.json`])
    scope.get(url, hidden, sendShared);
  for (const url of ['/.well-known/agent.json', `${base}/v0/agent-card`, `${base}/v0/agent-card.json`])
    scope.get(url, hidden, sendV0);

  void scope.register(
    async (inner) => {
      inner.setErrorHandler(async (error, request, reply) => {
        // What fails on the way in has the status that it has everywhere, by which the limits count it too.
        const { httpStatus } = errorTable[toMarketplaceError(error).errorName];
        return await sendError(reply, error, askerOf(request), httpStatus);
      });
      inner.setNotFoundHandler(async (request, reply) => await sendUnmatched(request, reply));
      const answer = answering(deps, authenticate);
      for (const url of ['/', '/v0', '/v0/', ...v0Aliases]) {
        inner.post(url, {
          ...hidden,
          preValidation: async (request) => {
            request.caller = checkAccess('caller', await authenticate(request));
          },
          handler: answer,
        });
      }
    },
    { prefix: base },
  );
}

function answering(deps: Deps, authenticate: Authenticate) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const asker = askerOf(request);
    const caller = request.caller as Caller;
    const hangUp = new AbortController();
    reply.raw.once('close', () => hangUp.abort());
    try {
      const generation = generationOf(request);
      if (generation === null) throw new ProtocolFault('version_not_supported');
      const outcome = await dispatch({ deps, request, caller, generation, gone: hangUp.signal }, request.body);
      if (!isStream(outcome)) return await sendResponse(reply, outcome);
      // A stream tells of a task, also one that begins with a purchase: asked for first, so that nothing is bought in vain.
      checkOperation(caller, 'read');
      const confirm = async () => checkOperation(checkAccess('caller', await authenticate(request)), 'read');
      const open = () => deps.streams.open(reply, confirm);
      await deps.streams.within(caller.userId, () => sendStream(reply, outcome, asker, open));
      return reply;
    } catch (error) {
      return await sendError(reply, error, asker);
    }
  };
}

/** An error in a version that is not spoken here is told in the newest that is. */
function askerOf(request: FastifyRequest): Asker {
  return { generation: generationOf(request) ?? '1.0', id: rpcIdOf(request.body) };
}

/** By the address, and by the header where two share one; null for a version that is not spoken here. */
function generationOf({ url, headers }: FastifyRequest): Generation | null {
  if (/^\/api\/v1\/a2a\/v0(?![^/?])/.test(url)) return '0.1';
  const version = String(headers['a2a-version'] ?? '').trim();
  if (version === '' || /^0\.3(\.\d+)?$/.test(version)) return '0.3';
  return /^1(\.0(\.\d+)?)?$/.test(version) ? '1.0' : null;
}

async function sendUnmatched(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
  const isEndpoint = [base, `${base}/v0`].includes(path);
  if (isEndpoint) reply.header('allow', 'POST');
  const text = isEndpoint
    ? 'Send JSON-RPC by POST.'
    : `No such address. Send JSON-RPC by POST to ${base} or ${base}/v0.`;
  return await sendError(reply, new ProtocolFault('invalid_request', text), askerOf(request), isEndpoint ? 405 : 404);
}

/** True for an address on which every answer is JSON-RPC. */
export function isA2aAddress(url: string): boolean {
  return /^\/api\/v1\/a2a(?![^/?])/.test(url);
}

/** Answers what fails before there is a route, such as an address that cannot be decoded; no hook has run by then. */
export function sendUnroutable(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  void sendError(reply, new ProtocolFault('invalid_request', 'No such address.'), askerOf(request), 400);
}
