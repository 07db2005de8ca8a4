import type { Em } from './orm.ts';

/** Whose tries are counted: hashes of an account's name and of an address. No account: only the address counts. */
export interface SignInSubject {
  readonly account: Buffer | null;
  readonly address: Buffer;
}

export interface SignInLimit {
  readonly accountFailures: number;
  readonly addressFailures: number;
  readonly windowSec: number;
}

/** A recorded try, or in how many seconds the next one is let through. */
export type SignInTry = { readonly tryId: string } | { readonly retryAfterSec: number };

/** Counts a try as failed until it is given back; exact over all nodes. One round trip, commits at once. */
export async function takeSignInTry(em: Em, subject: SignInSubject, limit: SignInLimit): Promise<SignInTry> {
  const [row] = await em.execute<[{ try_id: string | null; retry_after_sec: number | null }]>(
    'select try_id, retry_after_sec from take_sign_in_try(?, ?, ?, ?, make_interval(secs => ?))',
    [subject.account, subject.address, limit.accountFailures, limit.addressFailures, limit.windowSec],
  );
  return row.try_id === null ? { retryAfterSec: row.retry_after_sec ?? 1 } : { tryId: row.try_id };
}

/** A try that did not fail, or that nothing came of, does not count. */
export async function giveBackSignInTry(em: Em, tryId: string): Promise<void> {
  await em.execute('delete from sign_in_try where id = ?', [tryId]);
}

/** Forgets tries older than the age; at most `limit` a call. Answers how many. */
export async function forgetSignInTries(em: Em, ageSec: number, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from sign_in_try where id in (select id from sign_in_try
       where at < now() - make_interval(secs => ?) limit ?) returning 1`,
    [ageSec, limit],
  );
  return rows.length;
}
