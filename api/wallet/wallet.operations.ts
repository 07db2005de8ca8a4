import type { z } from 'zod';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { creditUser, walletOf, type Wallet } from '../../domain/store/ledger.store.ts';
import { entriesOf } from '../../domain/store/ledger-entry.store.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { walletEntriesQuery } from './wallet.schemas.ts';

/** A user's money at a glance. */
export async function readWallet(ctx: Context, userId: string): Promise<Wallet> {
  const wallet = await walletOf(ctx.em, userId);
  if (wallet === null) throw new MarketplaceError('not_found');
  return wallet;
}

/** One page of the caller's statement, newest first. */
export async function readWalletEntries(ctx: Context, query: z.output<typeof walletEntriesQuery>) {
  const { page, page_size, ...filters } = query;
  const [items, total] = await entriesOf(ctx.em, ctx.caller.userId, { page, page_size }, filters);
  return paged(items, total, { page, page_size });
}

/** Brings UT into being for a user; the same idempotency key credits once. */
export async function creditWallet(
  ctx: Context,
  userId: string,
  credit: { readonly amount_ut: string; readonly reason: string },
): Promise<Wallet> {
  await readWallet(ctx, userId);
  const transferId = ctx.newId('transfer');
  const createdBy = ctx.caller.userId;
  const { amount_ut: amountUt, reason } = credit;
  const given = { transferId, userId, amountUt, reason, createdBy, at: ctx.now() };
  const outcome = await creditUser(ctx.em, given).catch(refuseOverflow);
  // The stored answer of a key is forgotten after its time; the transfer whose id was derived from it is not.
  if (outcome === 'already_posted') {
    const text = 'An earlier request with this Idempotency-Key has credited. Nothing was credited now.';
    throw new MarketplaceError('conflict', { transfer_id: transferId }, { text });
  }
  return await readWallet(ctx, userId);
}

const numericValueOutOfRange = '22003';

function refuseOverflow(thrown: unknown): never {
  if ((thrown as { code?: unknown }).code !== numericValueOutOfRange) throw thrown;
  throw invalidField('amount_ut', 'would take a balance past the largest amount');
}
