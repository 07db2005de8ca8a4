import { v7 } from 'uuid';
import { errorTable, MarketplaceError } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import { reserveSpend, returnSpend, type Spend } from '../../domain/store/api-key-spend.store.ts';
import { formatUt, ut } from '../../domain/ut.ts';
import type { Context } from '../deps.ts';

/**
 * Runs what may freeze the caller's money for a transaction, within what the caller's key may spend a day; a human has no
 * such limit. `amountUt` null: the price of the transaction, which waits for its freeze. What is refused gives its amount
 * back; after an unknown outcome it stays taken, and a retry of the request finds it. A transaction that was frozen and
 * ended without a settlement stays counted: the key did spend it. Throws daily_limit_reached with limit_ut and spent_ut.
 */
export async function withinDailySpend<T>(
  ctx: Context,
  transactionId: string,
  amountUt: string | null,
  freeze: () => Promise<T>,
): Promise<T> {
  const { apiKeyId, userId } = ctx.caller;
  if (apiKeyId === null) return await freeze();
  const spend: Spend = { apiKeyId, userId, transactionId, amountUt, request: requestOf(ctx) };
  // A fork is outside of any SQL transaction: what is taken must be seen by others before the freeze, and its lock be free.
  const reserved = await reserveSpend(ctx.em.fork(), spend);
  if (reserved.outcome === 'limit_reached') throw limitReached(reserved);
  if (reserved.outcome === 'none') return await freeze();
  try {
    return await freeze();
  } catch (error) {
    // Where the database is away, the amount stays taken until the day ends.
    if (isRefusal(error)) await returnSpend(ctx.em.fork(), spend).catch(() => undefined);
    throw error;
  }
}

function requestOf({ idempotency }: Context): string {
  return idempotency === null ? v7() : derivedId('spend', idempotency.key, idempotency.requestHash);
}

/** Something was decided, and it was not a freeze. */
function isRefusal(error: unknown): boolean {
  return error instanceof MarketplaceError && errorTable[error.errorName].httpStatus < 500;
}

function limitReached(reached: { limit_ut: string; spent_ut: string; wait_sec: number }): MarketplaceError {
  const [limit_ut, spent_ut] = [formatUt(ut(reached.limit_ut)), formatUt(ut(reached.spent_ut))];
  const data = { limit_ut, spent_ut, retry_after_sec: reached.wait_sec };
  const text = `This API key may spend ${limit_ut} UT a day (UTC), and this would be more. See data.spent_ut.`;
  return new MarketplaceError('daily_limit_reached', data, { text });
}
