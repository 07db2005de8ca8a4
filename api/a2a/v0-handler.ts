import type { z } from 'zod';
import { isTerminal, toRecord, type TransactionState } from '../../domain/transaction/transaction.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import { parseBy } from '../parse.ts';
import { checkOperation } from '../route.ts';
import type { A2aCall } from './call.ts';
import type { RpcRequest } from './json-rpc.ts';
import { readMessage, type Wish } from './message.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { contextIdOfSession, transactionIdOf } from './task-id.ts';
import { sendWithPush } from './push-send.ts';
import { cancelTask, type Address } from './task.operations.ts';
import { findState } from './task.reads.ts';
import { endsStream } from '../../domain/a2a/task-state.ts';
import { changesAfter, startOfStream } from './task-stream.ts';
import { taskOf, type TaskView } from '../../domain/a2a/task-view.ts';
import { v0Artifacts, v0Status, v0Task, type ClientIds } from '../../domain/a2a/v0-task.ts';
import { getV0Config, readV0Config, setV0Config } from './v0-push.ts';
import { sendParams, setPushParams, taskParams } from './v0.schemas.ts';

const streaming = ['tasks/sendSubscribe', 'tasks/resubscribe'] as const;
const pushing = ['tasks/pushNotification/set', 'tasks/pushNotification/get'] as const;
export const v0Methods: ReadonlySet<string> = new Set([
  'tasks/send',
  'tasks/get',
  'tasks/cancel',
  ...streaming,
  ...pushing,
]);

/** Answers one request of v0.1: a result, or the results of a stream, which does nothing before the first is asked for. */
export async function handleV0(
  call: A2aCall,
  rpc: RpcRequest,
): Promise<{ result: unknown } | { results: AsyncGenerator<unknown, void, undefined> }> {
  switch (rpc.method) {
    case 'tasks/send': {
      const { task, ids } = await send(call, rpc);
      return { result: v0Task(task, ids) };
    }
    case 'tasks/sendSubscribe':
      return { results: sendAndFollow(call, rpc) };
    case 'tasks/get': {
      checkOperation(call.caller, 'read');
      const { task, ids } = await find(call, parseBy(taskParams, rpc.params).id);
      return { result: v0Task(task, ids) };
    }
    case 'tasks/cancel': {
      const { id, metadata } = parseBy(taskParams, rpc.params);
      const { task, ids } = await find(call, id);
      const key = metadata?.['idempotency_key'];
      return { result: v0Task(await cancelTask(call, task.id, typeof key === 'string' ? key : null), ids) };
    }
    case 'tasks/resubscribe':
      return { results: resubscribe(call, rpc) };
    case 'tasks/pushNotification/set': {
      const { id, pushNotificationConfig } = parseBy(setPushParams, rpc.params);
      const { task, ids } = await find(call, id);
      return { result: await setV0Config(call, task.id, ids, pushNotificationConfig) };
    }
    case 'tasks/pushNotification/get': {
      const { task, ids } = await find(call, parseBy(taskParams, rpc.params).id);
      return { result: await getV0Config(call, task.id, ids) };
    }
    default:
      throw new ProtocolFault('unknown_method');
  }
}

async function send(call: A2aCall, rpc: RpcRequest): Promise<{ task: TaskView; ids: ClientIds }> {
  const { id, sessionId, message, metadata, pushNotification } = parseBy(sendParams, rpc.params);
  const wish = readMessage({ parts: message.parts.map(partOf), metadata: { ...metadata, ...message.metadata } });
  const address = await addressOf(call, rpc, { id, sessionId: sessionId ?? null, wish });
  const push = readV0Config(pushNotification);
  const task = await sendWithPush(call, wish, address, push, { id, sessionId: sessionId ?? null });
  return { task, ids: { id, sessionId: sessionId ?? task.contextId } };
}

function partOf(part: z.output<typeof sendParams>['message']['parts'][number]) {
  return part.type === 'text'
    ? ({ kind: 'text', text: part.text } as const)
    : part.type === 'data'
      ? ({ kind: 'data', data: part.data } as const)
      : ({ kind: 'file' } as const);
}

async function addressOf(
  call: A2aCall,
  rpc: RpcRequest,
  { id, sessionId, wish }: { readonly id: string; readonly sessionId: string | null; readonly wish: Wish },
): Promise<Address> {
  const { userId } = call.caller;
  const own = transactionIdOf(userId, id);
  const found = await findByEither(call, id);
  const contextId = sessionId === null ? null : contextIdOfSession(userId, sessionId);
  const isPurchase = wish.kind === 'purchase' && (found === null || found.id === own);
  if (isPurchase) return { taskId: null, contextId, newTaskId: own, fallbackKey: derivedId('a2a task', userId, id) };
  if (found === null && wish.kind === 'operation') throw new ProtocolFault('task_not_found');
  // The session of a task that exists is only a word of the client's.
  return {
    taskId: found?.id ?? null,
    contextId: found === null ? contextId : null,
    newTaskId: own,
    fallbackKey: rpc.id === null ? null : derivedId('a2a request', id, String(rpc.id), JSON.stringify(wish)),
  };
}

/** A task by the client's own id, else by the platform's. */
async function find(call: A2aCall, id: string): Promise<{ task: TaskView; ids: ClientIds }> {
  const state = await findByEither(call, id);
  if (state === null) throw new ProtocolFault('task_not_found');
  const task = taskOf(toRecord(state));
  return { task, ids: { id, sessionId: task.contextId } };
}

async function findByEither(call: A2aCall, id: string): Promise<TransactionState | null> {
  return (await findState(call, transactionIdOf(call.caller.userId, id))) ?? (await findState(call, id));
}

const ends = (status: TaskView['status']) => endsStream(status, '0.1');

async function* sendAndFollow(call: A2aCall, rpc: RpcRequest): AsyncGenerator<unknown, void, undefined> {
  const { task, ids } = await send(call, rpc);
  yield* follow(call, task, ids, true);
}

async function* resubscribe(call: A2aCall, rpc: RpcRequest): AsyncGenerator<unknown, void, undefined> {
  const { task, ids } = await find(call, parseBy(taskParams, rpc.params).id);
  yield* follow(call, task, ids, false);
}

/** The status, then what happens to the task, each as a result of its own. */
async function* follow(
  call: A2aCall,
  task: TaskView,
  { id }: ClientIds,
  endsAtFirst: boolean,
): AsyncGenerator<unknown, void, undefined> {
  const { state, first } = await startOfStream(call, task);
  const final = state === null || isTerminal(state.status) || (endsAtFirst && ends(first.status));
  for (const artifact of v0Artifacts(first)) yield { id, artifact };
  yield { id, status: v0Status(first), final, metadata: first.metadata };
  if (final || state === null) return;
  for await (const { record, isNewResult } of changesAfter(call.deps, state, ends, call.gone)) {
    const view = taskOf(record);
    if (isNewResult) for (const artifact of v0Artifacts(view)) yield { id, artifact };
    yield { id, status: v0Status(view), final: ends(view.status), metadata: view.metadata };
  }
}
