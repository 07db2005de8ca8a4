import type { Client } from '@temporalio/client';
import { v7 } from 'uuid';
import { temporalWorkflows } from '../../api/transaction/temporal-workflows.ts';
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
  check                                         check the whole ledger`;

interface Tools {
  readonly em: Em;
  readonly client: Client;
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
      return await credit(tools.em, first, second, third);
    case 'check':
      return await checkLedger(tools.em);
    default:
      throw new Error(`unknown command: ${name}\n${usage}`);
  }
}

async function show({ em, client }: Tools, id: string): Promise<unknown> {
  const row = await transactionOf(em, id);
  const handle = client.workflow.getHandle(transactionWorkflowId(id));
  const workflow = await handle.query<TransactionState | null>(stateQueryName).catch((error: Error) => error.message);
  return { row, events: await eventsAfter(em, id, 0n, 1_000), workflow };
}

async function signal({ client }: Tools, id: string, operation: string, json: string): Promise<unknown> {
  if (!(operationMessages as readonly string[]).includes(operation))
    throw new Error(`no such operation: ${operation}\n${usage}`);
  const fields = json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
  await client.workflow.getHandle(transactionWorkflowId(id)).signal(operation, { operator: 'support', ...fields });
  return { signalled: operation, transaction_id: id, next: `npm run support -- show ${id}` };
}

async function resume({ client }: Tools, states: readonly TransactionState[]): Promise<unknown> {
  const workflows = temporalWorkflows({ client, taskQueue: taskQueues.transaction });
  for (const state of states) await workflows.resume(state);
  return { resumed: states.map((state) => state.id) };
}

async function credit(em: Em, userId: string, amount: string, reason: string): Promise<unknown> {
  const micro = parseUt(amount);
  if (micro === null || micro <= 0n) throw new Error(`not an amount above 0: ${amount}`);
  if (reason === '') throw new Error('a credit needs a reason');
  const transferId = v7();
  const amountUt = formatUt(micro);
  await em.transactional((inner) =>
    creditUser(inner, { transferId, userId, amountUt, reason, createdBy: null, at: new Date() }),
  );
  return { transfer_id: transferId, user_id: userId, amount_ut: amountUt };
}

async function transactionOf(em: Em, id: string): Promise<TransactionState> {
  const state = await findTransaction(em, id);
  if (state === null) throw new Error(`no such transaction: ${id}`);
  return state;
}
