import type { FastifyReply } from 'fastify';
import { errorTable } from '../../domain/errors.ts';
import { logFault, tellRetryAfter, toMarketplaceError } from '../error-handler.ts';
import type { EventStream } from '../stream/event-stream.ts';
import type { RpcId, RpcResponse } from './json-rpc.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { rpcErrorOf } from './rpc-error.ts';
import type { Generation } from '../../domain/a2a/task-state.ts';

/** Whom an answer is for. */
export interface Asker {
  readonly generation: Generation;
  readonly id: RpcId;
}

/** Sends what was thrown as a JSON-RPC error. `httpStatus` null: 200, but for faults of the service and limits. */
export async function sendError(
  reply: FastifyReply,
  thrown: unknown,
  { generation, id }: Asker,
  httpStatus: number | null = null,
): Promise<FastifyReply> {
  const status = httpStatus ?? (thrown instanceof ProtocolFault ? 200 : tellsTransport(thrown));
  if (!(thrown instanceof ProtocolFault)) {
    const error = toMarketplaceError(thrown);
    logFault(reply, error);
    tellRetryAfter(reply, error);
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return await sendResponse(reply.code(status), { jsonrpc: '2.0', id, error: rpcErrorOf(thrown, generation) });
}

export async function sendResponse(reply: FastifyReply, response: RpcResponse): Promise<FastifyReply> {
  return await reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(response);
}

/** Proxies and generic clients go by the HTTP status: when to come back, and who is at fault. */
function tellsTransport(thrown: unknown): number {
  const { httpStatus } = errorTable[toMarketplaceError(thrown).errorName];
  return httpStatus >= 500 || httpStatus === 429 || httpStatus === 401 ? httpStatus : 200;
}

/** Sends a stream of answers. The first is awaited before anything is sent, so that an early refusal is a plain answer. */
export async function sendStream(
  reply: FastifyReply,
  answers: AsyncGenerator<RpcResponse, void, undefined>,
  asker: Asker,
  open: () => EventStream,
): Promise<void> {
  try {
    const first = await answers.next();
    const stream = open();
    try {
      if (!first.done) await stream.send(first.value);
      for await (const answer of answers) await stream.send(answer);
    } catch (error) {
      reply.log.warn({ err: error }, 'a task stream broke; the client resumes it');
      const last = { jsonrpc: '2.0', id: asker.id, error: rpcErrorOf(error, asker.generation) };
      if (stream.isOpen) await stream.send(last).catch(() => undefined);
    } finally {
      stream.end();
    }
  } finally {
    await answers.return();
  }
}
