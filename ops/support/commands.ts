import type { Client } from '@temporalio/client';
import { v7 } from 'uuid';
import { z } from 'zod';
import { auditQuery } from '../../api/audit/audit.schemas.ts';
import { temporalWorkflows } from '../../api/transaction/temporal-workflows.ts';
import type { AuditAction, AuditData, AuditTarget } from '../../domain/audit/audit-entry.ts';
import { insertAuditEntry, listAuditEntries } from '../../domain/store/audit-entry.store.ts';
import { eventsAfter } from '../../domain/store/event.store.ts';
import { checkLedger, creditUser } from '../../domain/store/ledger.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { findTransaction, overdueTransactions } from '../../domain/store/transaction.store.ts';
import type { TransactionState } from '../../domain/transaction/transaction.ts';
import { formatUt, parseUt } from '../../domain/ut.ts';
import { taskQueues } from '../../temporal.config.ts';
import { operationMessages, stateQueryName, transactionWorkflowId } from '../../workflows/messages.ts';

export const usage = `Commands:
  show TRANSACTION_ID                           the row, its events, and what the workflow believes
  signal TRANSACTION_ID OPERATION [JSON]        ${operationMessages.join(', ')}; as an operator
  resume TRANSACTION_ID                         start a lost workflow again from the row
  resume-overdue                                the same for all that are five minutes past their deadline
  credit USER_ID AMOUNT_UT REASON               issue UT to a user
  check                                         check the whole ledger
  audit [FILTER=VALUE …]                        who did what, newest first: action, actor_user_id, target_id,
                                                api_key_id, request_id, from, to, page, page_size`;

interface Tools {
  readonly em: Em;
  readonly client: Client;
  /** Who sits at the command, as the operating system says. */
  readonly operator: string;
}

/** Runs one command and answers what to print. Throws an Error that says what is wrong with the words given. */
export async function runCommand(name: string, args: readonly string[], tools: Tools): Promise<unknown> {
  const [first = '', second = '', third = ''] = args;
  switch (name) {
    case 'show':
      return await show(tools, first);
    case 'signal':
      return await signal(tools, first, second, third);
    case 'resume':
      return await resume(tools, [await transactionOf(tools.em, first)]);
    case 'resume-overdue':
      return await resume(tools, await overdueTransactions(tools.em, new Date(Date.now() - 300_000), 1_000));
    case 'credit':
      return await credit(tools, first, second, third);
    case 'check':
      return await checkLedger(tools.em);
    case 'audit':
      return await readAudit(tools, args);
    default:
      throw new Error(`unknown command: ${name}\n${usage}`);
  }
}

async function show(tools: Tools, id: string): Promise<unknown> {
  const { em, client } = tools;
  const row = await transactionOf(em, id);
  await note(tools, 'transaction.read', transactionTarget(id));
  const handle = client.workflow.getHandle(transactionWorkflowId(id));
  const workflow = await handle.query<TransactionState | null>(stateQueryName).catch((error: Error) => error.message);
  return { row, events: await eventsAfter(em, id, 0n, 1_000), workflow };
}

async function signal(tools: Tools, id: string, operation: string, json: string): Promise<unknown> {
  if (!(operationMessages as readonly string[]).includes(operation))
    throw new Error(`no such operation: ${operation}\n${usage}`);
  const fields = json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
  // First: a signal that nobody is seen to have sent is worse than one that is seen and failed.
  await note(tools, 'transaction.signal', transactionTarget(id), { operation });
  const handle = tools.client.workflow.getHandle(transactionWorkflowId(id));
  await handle.signal(operation, { operator: 'support', ...fields });
  return { signalled: operation, transaction_id: id, next: `npm run support -- show ${id}` };
}

async function resume(tools: Tools, states: readonly TransactionState[]): Promise<unknown> {
  const workflows = temporalWorkflows({ client: tools.client, taskQueue: taskQueues.transaction });
  for (const state of states) {
    await note(tools, 'transaction.resume', transactionTarget(state.id));
    await workflows.resume(state);
  }
  return { resumed: states.map((state) => state.id) };
}

async function credit(tools: Tools, userId: string, amount: string, reason: string): Promise<unknown> {
  const micro = parseUt(amount);
  if (micro === null || micro <= 0n) throw new Error(`not an amount above 0: ${amount}`);
  if (reason === '') throw new Error('a credit needs a reason');
  const transferId = v7();
  const amountUt = formatUt(micro);
  await tools.em.transactional(async (em) => {
    await creditUser(em, { transferId, userId, amountUt, reason, createdBy: null, at: new Date() });
    await note({ ...tools, em }, 'wallet.credit', { type: 'user', id: userId }, { amount_ut: amountUt });
  });
  return { transfer_id: transferId, user_id: userId, amount_ut: amountUt };
}

async function readAudit(tools: Tools, args: readonly string[]): Promise<unknown> {
  const given = Object.fromEntries(args.map((arg) => [arg.split('=')[0] ?? '', arg.slice(arg.indexOf('=') + 1)]));
  const parsed = auditQuery.safeParse(given);
  if (!parsed.success) throw new Error(`${z.prettifyError(parsed.error)}\n${usage}`);
  const { page, page_size, ...filters } = parsed.data;
  const [items, total] = await listAuditEntries(tools.em, { page, page_size }, filters);
  await note(tools, 'audit.read', null, { ...filters });
  return { items, total };
}

/** An operator's entry. Each command counts as a request of its own. */
async function note(
  { em, operator }: Pick<Tools, 'em' | 'operator'>,
  action: AuditAction,
  target: AuditTarget | null,
  data: AuditData = {},
): Promise<void> {
  await insertAuditEntry(em, {
    at: new Date(),
    action,
    actorUserId: null,
    credential: 'operator',
    apiKeyId: null,
    address: null,
    requestId: v7(),
    target,
    data: { ...data, operator },
  });
}

function transactionTarget(id: string): AuditTarget {
  return { type: 'transaction', id };
}

async function transactionOf(em: Em, id: string): Promise<TransactionState> {
  const state = await findTransaction(em, id);
  if (state === null) throw new Error(`no such transaction: ${id}`);
  return state;
}
