import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { findTransaction, listTransactions } from '../../domain/store/transaction.store.ts';
import { toRecord, type TransactionRecord } from '../../domain/transaction/transaction.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { listTransactionsQuery } from './transaction.schemas.ts';

/** One transaction, for its buyer and its seller only. */
export async function readTransaction(ctx: Context, id: string): Promise<TransactionRecord> {
  const state = await findTransaction(ctx.em, id);
  if (state === null) throw new MarketplaceError('not_found', null, { text: 'No such transaction.' });
  const { userId } = ctx.caller;
  if (state.buyer_user_id !== userId && state.seller_user_id !== userId) throw new MarketplaceError('not_a_party');
  return toRecord(state);
}

/** The caller's own transactions, newest first. */
export async function readTransactions(ctx: Context, query: z.output<typeof listTransactionsQuery>) {
  const filter = {
    userId: ctx.caller.userId,
    role: query.role === '' ? null : query.role,
    status: query.status === '' ? null : query.status,
    capabilityId: query.capability_id ?? null,
    contextId: query.context_id ?? null,
  };
  const offset = (query.page - 1) * query.page_size;
  const { items, total } = await listTransactions(ctx.em, filter, offset, query.page_size);
  return paged(items.map(toRecord), total, query);
}
