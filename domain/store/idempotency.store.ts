import { notWaitingForDisk, type Em } from './orm.ts';

export type ClaimOutcome =
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'running' }
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'done'; readonly http_status: number; readonly body: unknown };

interface Claim {
  readonly userId: string;
  readonly key: string;
  readonly requestHash: string;
}

/** Takes the key for `lockSec`, or tells what became of the first request with it. Part of the caller's SQL transaction. */
export async function claimKey(em: Em, claim: Claim, lockSec: number): Promise<ClaimOutcome> {
  return await claimBy(em, claim, lockSec, '');
}

/**
 * The same by itself, for a write whose outcome is found again without the claim: commits at once, without waiting for the
 * disk.
 */
export async function claimKeyAlone(em: Em, claim: Claim, lockSec: number): Promise<ClaimOutcome> {
  return await claimBy(em, claim, lockSec, `with later as materialized (${notWaitingForDisk})`);
}

async function claimBy(em: Em, claim: Claim, lockSec: number, first: string): Promise<ClaimOutcome> {
  const from = `${first === '' ? '' : 'later, '}claim_idempotency_key(?, ?, ?, make_interval(secs => ?))`;
  const sql = `${first} select outcome, http_status, body from ${from}`;
  const [row] = await em.execute<[ClaimOutcome]>(sql, [claim.userId, claim.key, claim.requestHash, lockSec]);
  return row;
}

/** Keeps a claimed key for another `lockSec`. */
export async function renewKey(em: Em, claim: Claim, lockSec: number): Promise<void> {
  await em.execute(
    `update idempotency_record set locked_until = clock_timestamp() + make_interval(secs => ?)
     where user_id = ? and key = ? and request_hash = ? and state = 'running'`,
    [lockSec, claim.userId, claim.key, claim.requestHash],
  );
}

/** Inside a plain write's SQL transaction: false when another one with the same key is under way. */
export async function lockKey(em: Em, claim: Claim): Promise<boolean> {
  const sql = `select pg_try_advisory_xact_lock(hashtextextended(? || ' ' || ?, 7231)) as locked`;
  const [row] = await em.execute<[{ locked: boolean }]>(sql, [claim.userId, claim.key]);
  return row.locked;
}

/** Stores the answer that a retry gets. */
export async function storeAnswer(em: Em, claim: Claim, httpStatus: number, body: unknown): Promise<void> {
  await storeBy(em, claim, httpStatus, body, '');
}

/** The same by itself, for an answer that is found again without it: does not wait for the disk. */
export async function storeAnswerAlone(em: Em, claim: Claim, httpStatus: number, body: unknown): Promise<void> {
  await storeBy(em, claim, httpStatus, body, `with later as materialized (${notWaitingForDisk})`);
}

async function storeBy(em: Em, claim: Claim, httpStatus: number, body: unknown, first: string): Promise<void> {
  await em.execute(
    `${first} insert into idempotency_record as r (user_id, key, request_hash, state, locked_until, http_status, body)
     select ?, ?, ?, 'done', now(), ?, ?::json${first === '' ? '' : ' from later'}
     on conflict (user_id, key) do update set state = 'done', http_status = excluded.http_status, body = excluded.body
       where r.state = 'running' and r.request_hash = excluded.request_hash`,
    [claim.userId, claim.key, claim.requestHash, httpStatus, JSON.stringify(body ?? null)],
  );
}

/** Gives a claimed key back after an outcome that is not known or not final, so that a retry goes through. */
export async function releaseKey(em: Em, claim: Claim): Promise<void> {
  await em.execute(
    `delete from idempotency_record where user_id = ? and key = ? and request_hash = ? and state = 'running'`,
    [claim.userId, claim.key, claim.requestHash],
  );
}

/** Forgets answers older than the age; at most `limit` a call. Answers how many. */
export async function forgetAnswers(em: Em, ageHours: number, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from idempotency_record where (user_id, key) in (select user_id, key from idempotency_record
       where created_at < now() - make_interval(hours => ?) limit ?) returning 1`,
    [ageHours, limit],
  );
  return rows.length;
}
