import { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { transactionStatuses, type TransactionRecord } from '../../domain/transaction/transaction.ts';
import { pagedOf } from '../schemas.ts';
import { createTransaction, operate } from '../transaction/transaction.operations.ts';
import { readTransaction, readTransactions } from '../transaction/transaction.reads.ts';
import { createTransactionBody, listTransactionsQuery, transaction } from '../transaction/transaction.schemas.ts';
import type { ToolCall } from './tool-call.ts';
import { idempotencyKey, pageSize, transactionId } from './tool-input.ts';
import { reads, tool, writes } from './tool.ts';

export const buyCapability = tool({
  name: 'buy_capability',
  title: 'Buy a capability',
  description:
    'Buy a capability that its seller delivers (per_hour, per_day, subscription, or any other that is not invoked). ' +
    'Makes a transaction that is pending until its price is frozen: set freeze to do that at once, or use ' +
    'operate_transaction. Then the seller accepts and delivers, and you confirm: follow it by wait_for_transaction.',
  annotations: writes,
  access: 'caller',
  input: createTransactionBody.extend({
    freeze: z.boolean().default(false).describe('Also freeze the price, so that the seller can begin'),
    idempotency_key: idempotencyKey,
  }),
  output: transaction,
  operationOf: () => 'buy',
  run: async (call, { freeze, ...body }) => {
    const pending = (await call.write(201, (ctx) => createTransaction(ctx, body))) as TransactionRecord;
    return freeze ? await freezeNow(call, pending) : pending;
  },
});

/** A refusal names the transaction, which is there by then and can be frozen later. */
async function freezeNow(call: ToolCall, { id }: TransactionRecord): Promise<unknown> {
  try {
    return await call.write(200, (ctx) => operate(ctx, id, { operation: 'freeze' }), 'freeze');
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    const { errorName, data, message: text, cause } = error;
    throw new MarketplaceError(errorName, { ...data, transaction_id: id }, { text, cause });
  }
}

export const getTransaction = tool({
  name: 'get_transaction',
  title: 'Read a transaction',
  description:
    'Read one transaction of yours, as buyer or seller: status, deadlines and, once delivered, result_payload.',
  annotations: reads,
  access: 'caller',
  input: z.strictObject({ transaction_id: transactionId }),
  output: transaction,
  operationOf: () => 'read',
  run: async (call, input) => await call.read((ctx) => readTransaction(ctx, input.transaction_id)),
});

export const listTransactions = tool({
  name: 'list_transactions',
  title: 'List transactions',
  description:
    'List your transactions, newest first, without their result_payload: get_transaction has that. Filter by ' +
    'role "seller" and status "frozen" to find orders that wait for you.',
  annotations: reads,
  access: 'caller',
  input: listTransactionsQuery.extend({
    role: z.enum(['buyer', 'seller']).optional().describe('Your side of it; left out: both'),
    status: z.enum(transactionStatuses).optional(),
    page_size: pageSize,
  }),
  output: pagedOf(transaction.omit({ result_payload: true })),
  operationOf: () => 'read',
  run: async (call, { role, status, ...query }) =>
    await call.read((ctx) => readTransactions(ctx, { ...query, role: role ?? '', status: status ?? '' })),
});
