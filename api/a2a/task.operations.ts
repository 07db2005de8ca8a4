import { errorTable, invalidField, MarketplaceError } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { PartyAsk } from '../../domain/transaction/command.ts';
import { toRecord, type TransactionRecord } from '../../domain/transaction/transaction.ts';
import type { Context, IdempotencyClaim } from '../deps.ts';
import { runWorkflowWrite } from '../plugins/idempotency.ts';
import { checkOperation, dataOf } from '../route.ts';
import { createTransaction, operate } from '../transaction/transaction.operations.ts';
import { claimFor, contextOf, type A2aCall } from './call.ts';
import type { Wish } from './message.ts';
import { isProposalId, newProposalId, proposalTask } from './proposal.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { proposalContextId } from './task-id.ts';
import { findState, propose, readState } from './task.reads.ts';
import { taskOf, type Refusal, type TaskView } from '../../domain/a2a/task-view.ts';

/** Where a message belongs, and what tells a retry of it. */
export interface Address {
  /** The task that the client names; null for a new one. */
  readonly taskId: string | null;
  readonly contextId: string | null;
  /** The id that a purchase gets; null where the key derives it. */
  readonly newTaskId: string | null;
  /** Counts as the idempotency key where the client names none. */
  readonly fallbackKey: string | null;
}

type Purchase = Extract<Wish, { kind: 'purchase' }>;
type Operation = Extract<Wish, { kind: 'operation' }>;

/** Does what a message asks for and answers the task as it is then. */
export async function sendMessage(call: A2aCall, wish: Wish, address: Address): Promise<TaskView> {
  switch (wish.kind) {
    case 'words':
      return await answerWords(call, wish.text, address);
    case 'purchase':
      return await purchase(call, wish, address);
    case 'operation':
      return await carryOut(call, wish, address);
  }
}

async function answerWords(call: A2aCall, text: string, { taskId, contextId, newTaskId }: Address): Promise<TaskView> {
  if (taskId !== null && (await findState(call, taskId)) !== null) throw boughtAlready();
  if (taskId !== null && !isProposalId(taskId, call.caller.userId)) throw new ProtocolFault('task_not_found');
  const id = taskId ?? newTaskId ?? newProposalId(call.caller.userId);
  return proposalTask(id, contextId ?? proposalContextId(id), call.deps.now(), await propose(call, text));
}

async function purchase(call: A2aCall, wish: Purchase, address: Address): Promise<TaskView> {
  checkOperation(call.caller, 'buy');
  const { taskId } = address;
  if (taskId !== null && !isProposalId(taskId, call.caller.userId)) {
    await readState(call, taskId);
    throw boughtAlready();
  }
  const body = { ...wish.body, context_id: contextFor(wish, address) };
  const asked = { body: wish.body, taskId, freeze: wish.freeze };
  const key = claimFor(call, 'purchase', asked, keysOf(wish, address));
  const id = taskId ?? address.newTaskId;
  const record = await answered(call, { ...key, chosen: true }, 201, (ctx) =>
    createTransaction(id === null ? ctx : { ...ctx, newId: () => id }, body),
  );
  if (!wish.freeze || record.status !== 'pending') return taskOf(record);
  return await freezeAtOnce(call, record, key.claim);
}

function boughtAlready(): ProtocolFault {
  return new ProtocolFault('unsupported_operation', 'This task is bought already. Send a data part with an operation.');
}

function contextFor({ body }: Purchase, { taskId, contextId }: Address): string | undefined {
  const inBody = body.context_id ?? null;
  if (inBody !== null && contextId !== null && inBody !== contextId)
    throw invalidField('context_id', "differs from the message's context");
  return inBody ?? contextId ?? (taskId === null ? undefined : proposalContextId(taskId));
}

/** The purchase stands also where its freeze is refused: the task says why, and waits for another try. */
async function freezeAtOnce(
  call: A2aCall,
  record: TransactionRecord,
  claim: IdempotencyClaim | null,
): Promise<TaskView> {
  const own = claim === null ? null : { ...claim, key: derivedId('a2a freeze', claim.userId, claim.key) };
  const freeze = (ctx: Context) => operate(ctx, record.id, { operation: 'freeze' });
  try {
    return taskOf(await answered(call, { claim: own, chosen: true }, 200, freeze));
  } catch (error) {
    if (!(error instanceof MarketplaceError) || errorTable[error.errorName].httpStatus >= 500) throw error;
    return taskOf(toRecord(await readState(call, record.id)), refusalOf(error));
  }
}

/** A refusal as a task carries it, beside what was done. */
export function refusalOf({ errorName, message, data }: MarketplaceError): Refusal {
  return { code: errorTable[errorName].code, error: errorName, message, data };
}

async function carryOut(call: A2aCall, wish: Operation, address: Address): Promise<TaskView> {
  checkOperation(call.caller, wish.operationClass);
  const { taskId, contextId } = address;
  if (taskId === null) throw new ProtocolFault('invalid_params', 'An operation needs the task that it is done on.');
  const unbought = 'Nothing was bought yet. Send a data part with a capability_id.';
  const state = await readState(call, taskId, () => new ProtocolFault('unsupported_operation', unbought));
  if (contextId !== null && contextId !== state.context_id)
    throw new ProtocolFault('invalid_params', 'This task belongs to another context.');
  const keys = keysOf(wish, address);
  return taskOf(await operateOnce(call, state.id, wish.ask, keys));
}

/** Cancels, for the buyer. Throws task_not_cancelable where nobody can any more, or it is not the caller's to do. */
export async function cancelTask(call: A2aCall, id: string, givenKey: string | null): Promise<TaskView> {
  checkOperation(call.caller, 'buy');
  const { userId } = call.caller;
  const unbought = 'Nothing was bought, so there is nothing to cancel.';
  const state = await readState(call, id, () => new ProtocolFault('task_not_cancelable', unbought));
  // It happens once, so the task itself tells a retry.
  const keys = { given: givenKey, fallback: derivedId('a2a cancel', state.id, userId) };
  try {
    return taskOf(await operateOnce(call, state.id, { operation: 'cancel' }, keys));
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.errorName === 'not_a_party')
      throw new ProtocolFault('task_not_cancelable', 'Only the buyer cancels. Send {"operation": "reject"} instead.');
    if (error.errorName === 'invalid_state') throw new ProtocolFault('task_not_cancelable', error.message, error.data);
    throw error;
  }
}

interface Keys {
  readonly given: string | null;
  readonly fallback: string | null;
}

function keysOf({ key }: Wish, { fallbackKey }: Address): Keys {
  return { given: key, fallback: fallbackKey };
}

async function operateOnce(call: A2aCall, id: string, ask: PartyAsk, keys: Keys): Promise<TransactionRecord> {
  const key = claimFor(call, `operation ${id}`, { ...ask }, keys);
  return await answered(call, key, 200, (ctx) => operate(ctx, id, ask));
}

/** The record that a write answered, or as it is now where the write was done by an earlier request with the key. */
async function answered(
  call: A2aCall,
  { claim, chosen }: ReturnType<typeof claimFor>,
  httpStatus: number,
  work: (ctx: Context) => Promise<TransactionRecord>,
): Promise<TransactionRecord> {
  const ctx = contextOf(call, claim);
  const answer = await runWorkflowWrite(ctx.em, claim, httpStatus, () => work(ctx));
  const isOldRefusal = answer.replayed && answer.httpStatus >= 400;
  // v0.1 has no message ids, and a client may count its requests from 1 each time: this may be another try.
  if (isOldRefusal && !chosen && call.generation === '0.1') return await work(contextOf(call));
  const record = dataOf(answer) as TransactionRecord;
  return answer.replayed ? toRecord(await readState(call, record.id)) : record;
}
