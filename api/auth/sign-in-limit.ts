import { normalizeIP } from '@fastify/rate-limit';
import { MarketplaceError } from '../../domain/errors.ts';
import { signInLimit } from '../../domain/identity/sign-in.ts';
import { giveBackSignInTry, takeSignInTry } from '../../domain/store/sign-in-try.store.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../deps.ts';
import { hashSecret } from './random-token.ts';

/**
 * Lets `attempt` run unless too many failed before it, for this account or from this address; null is a failure. At the
 * limit it is `rate_limited` with nothing looked up and nothing hashed, whether the account exists or not. `account` is
 * the normalized e-mail address, or null where only the address counts.
 */
export async function limitedAttempt<T>(
  { em, address }: Pick<Context<Caller | null>, 'em' | 'address'>,
  account: string | null,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const subject = {
    account: account === null ? null : hashSecret(`account ${account}`),
    address: hashSecret(`address ${normalizeIP(address)}`),
  };
  const taken = await takeSignInTry(em, subject, signInLimit);
  if ('retryAfterSec' in taken) throw new MarketplaceError('rate_limited', { retry_after_sec: taken.retryAfterSec });
  const giveBack = async () => await giveBackSignInTry(em, taken.tryId);
  // A fault of ours says nothing of the password.
  const outcome = await attempt().catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  if (outcome !== null) await giveBack();
  return outcome;
}
