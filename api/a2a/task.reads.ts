import { MarketplaceError } from '../../domain/errors.ts';
import { findTransaction, listChangedTransactions } from '../../domain/store/transaction.store.ts';
import { toRecord, type TransactionState, type TransactionStatus } from '../../domain/transaction/transaction.ts';
import { readCapabilities } from '../capability/capability.reads.ts';
import { capabilityQuery } from '../capability/capability.schemas.ts';
import { parseBy } from '../parse.ts';
import { checkOperation } from '../route.ts';
import { contextOf, type A2aCall } from './call.ts';
import { anyOf, bestOf, isProposalId, proposalTask, wordsOf, type Proposal } from './proposal.ts';
import { isUuid, proposalContextId } from './task-id.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { taskOf, type TaskView } from '../../domain/a2a/task-view.ts';

/** The state of a task that the caller is a party to; null for any other, also for what others may see. */
export async function findState({ deps, caller }: A2aCall, id: string): Promise<TransactionState | null> {
  const state = isUuid(id) ? await findTransaction(deps.orm.em.fork(), id.toLowerCase()) : null;
  const isParty = state?.buyer_user_id === caller.userId || state?.seller_user_id === caller.userId;
  return isParty ? state : null;
}

/** The same, or task_not_found. `ifProposed`: what is thrown instead for a task of which the caller bought nothing yet. */
export async function readState(
  call: A2aCall,
  id: string,
  ifProposed?: () => ProtocolFault,
): Promise<TransactionState> {
  const state = await findState(call, id);
  if (state !== null) return state;
  if (ifProposed !== undefined && isProposalId(id, call.caller.userId)) throw ifProposed();
  throw new ProtocolFault('task_not_found');
}

/** A task, also one of which nothing was bought yet. */
export async function readTask(call: A2aCall, id: string): Promise<TaskView> {
  checkOperation(call.caller, 'read');
  const state = await findState(call, id);
  if (state !== null) return taskOf(toRecord(state));
  if (!isProposalId(id, call.caller.userId)) throw new ProtocolFault('task_not_found');
  return proposalTask(id, proposalContextId(id), call.deps.now(), null);
}

export interface TaskQuery {
  readonly contextId: string | null;
  readonly statuses: readonly TransactionStatus[] | null;
  readonly changedSince: Date | null;
  readonly pageSize: number;
  readonly pageToken: string;
}

export interface TaskPage {
  readonly tasks: readonly TaskView[];
  readonly total: number;
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** The caller's tasks, as buyer and as seller, last changed first. */
export async function listTasks(call: A2aCall, query: TaskQuery): Promise<TaskPage> {
  checkOperation(call.caller, 'read');
  const { contextId, statuses, changedSince, pageSize, pageToken } = query;
  const after = pageToken === '' ? null : readToken(pageToken);
  const filter = { userId: call.caller.userId, statuses, contextId, changedSince };
  const { items, total } = await listChangedTransactions(contextOf(call).em, filter, after, pageSize + 1);
  const page = items.slice(0, pageSize);
  const last = items.length > pageSize ? page.at(-1) : undefined;
  const nextPageToken = last === undefined ? '' : tokenOf(last);
  return { tasks: page.map((item) => taskOf(toRecord(item))), total, nextPageToken };
}

function tokenOf({ updated_at, id }: TransactionState): string {
  return Buffer.from(`${updated_at} ${id}`).toString('base64url');
}

function readToken(token: string): { at: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(token, 'base64url').toString().split(' ');
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !isUuid(id)) throw new ProtocolFault('invalid_params', 'This is no page token.');
  return { at, id };
}

const candidates = 50;

/** What is for sale and has the words of a demand, the best first. */
export async function propose(call: A2aCall, text: string): Promise<Proposal[]> {
  checkOperation(call.caller, 'read');
  if (text.length > 4_000) throw new MarketplaceError('validation_failed', null, { text: 'The text is too long.' });
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const query = parseBy(capabilityQuery, { available: 'true', sort: 'sold', page_size: candidates });
  const { items } = await readCapabilities(contextOf(call), { ...query, q: anyOf(words) });
  const others = items.filter(({ agent_id }) => agent_id !== call.caller.userId);
  return bestOf(words, others);
}
