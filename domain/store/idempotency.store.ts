import { notWaitingForDisk, type Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

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

const later = `with later as materialized (${notWaitingForDisk})`;
const claimSql = `select outcome, http_status, body from claim_idempotency_key(?, ?, ?, make_interval(secs => ?))`;
const claimAlone = prepare('claim-key', `${later} ${claimSql.replace('from ', 'from later, ')}`);
const storeSql = (source: '' | 'from later') =>
  `insert into idempotency_record as r (user_id, key, request_hash, state, locked_until, http_status, body)
   select ?::uuid, ?, ?, 'done', now(), ?::integer, ?::json ${source}
   on conflict (user_id, key) do update set state = 'done', http_status = excluded.http_status, body = excluded.body
     where r.state = 'running' and r.request_hash = excluded.request_hash`;
const store = prepare('store-answer-durably', storeSql(''));
const storeAlone = prepare('store-answer', `${later} ${storeSql('from later')}`);

/** Takes the key for `lockSec`, or tells what became of the first request with it. Part of the caller's SQL transaction. */
export async function claimKey(em: Em, claim: Claim, lockSec: number): Promise<ClaimOutcome> {
  const [row] = await em.execute<[ClaimOutcome]>(claimSql, [claim.userId, claim.key, claim.requestHash, lockSec]);
  return row;
}

/**
 * The same by itself, for a write whose outcome is found again without the claim: commits at once, without waiting for the
 * disk.
 */
export async function claimKeyAlone(em: Em, claim: Claim, lockSec: number): Promise<ClaimOutcome> {
  const [row] = await run<ClaimOutcome>(em, claimAlone, [claim.userId, claim.key, claim.requestHash, lockSec]);
  if (row === undefined) throw new Error('claim_idempotency_key answered nothing');
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
  await run(em, store, storedOf(claim, httpStatus, body));
}

/** The same by itself, for an answer that is found again without it: does not wait for the disk. */
export async function storeAnswerAlone(em: Em, claim: Claim, httpStatus: number, body: unknown): Promise<void> {
  await run(em, storeAlone, storedOf(claim, httpStatus, body));
}

function storedOf(claim: Claim, httpStatus: number, body: unknown): (string | number)[] {
  return [claim.userId, claim.key, claim.requestHash, httpStatus, JSON.stringify(body ?? null)];
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
