import type { Em } from './orm.ts';

/** A signing secret that was sealed and is not written yet. */
export interface NewCallbackSecret {
  readonly id: string;
  readonly capabilityId: string;
  /** Sealed for `callbackSecretPurpose(capabilityId)`. */
  readonly sealed: Buffer;
  readonly at: Date;
}

/** How many replaced secrets sign beside the current one: every one makes each call's signature header longer. */
const expiringAtMost = 3;

/** What a signing secret is sealed for: the sealed bytes of one capability open for no other. */
export function callbackSecretPurpose(capabilityId: string): string {
  return `callback-secret/${capabilityId}`;
}

/** Writes the first secret of a capability. False where one is current: it stays, and nothing is written. */
export async function insertCallbackSecret(em: Em, secret: NewCallbackSecret): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `insert into callback_secret (id, capability_id, sealed, created_at) values (?, ?, ?, ?)
     on conflict (capability_id) where expires_at is null do nothing returning 1`,
    [secret.id, secret.capabilityId, secret.sealed, secret.at],
  );
  return rows.length > 0;
}

/**
 * Makes a secret the current one. The one it replaces goes on signing for `overlapMs` milliseconds, older ones to the
 * expiry they have, at most three in all; with `overlapMs` null every earlier one ends at once. Secrets that have ended
 * are deleted. Answers when the replaced one ends; null where none was current.
 *
 * The caller holds the lock of the capability's row, so that rotations come one after the other.
 */
export async function rotateCallbackSecret(
  em: Em,
  secret: NewCallbackSecret,
  overlapMs: number | null,
): Promise<Date | null> {
  const endsAt = new Date(secret.at.getTime() + (overlapMs ?? 0));
  const replaced = await em.execute<unknown[]>(
    `update callback_secret set expires_at = ? where capability_id = ? and expires_at is null returning 1`,
    [endsAt, secret.capabilityId],
  );
  await em.execute(
    `delete from callback_secret where capability_id = ? and (expires_at <= ? or id not in
       (select id from callback_secret where capability_id = ? order by created_at desc, id desc limit ?))`,
    [secret.capabilityId, secret.at, secret.capabilityId, overlapMs === null ? 0 : expiringAtMost],
  );
  await em.execute(`insert into callback_secret (id, capability_id, sealed, created_at) values (?, ?, ?, ?)`, [
    secret.id,
    secret.capabilityId,
    secret.sealed,
    secret.at,
  ]);
  return replaced.length > 0 ? endsAt : null;
}

/**
 * SQL of the sealed secrets that sign at a moment, as an array in base64: the current one, then those that expire, newest
 * first. Its one parameter is the moment.
 */
export function signingSecretsSql(capabilityId: string): string {
  return `(select coalesce(json_agg(encode(s.sealed, 'base64') order by s.expires_at is null desc, s.created_at desc, s.id desc),
    '[]') from callback_secret s where s.capability_id = ${capabilityId} and (s.expires_at is null or s.expires_at > ?))`;
}

/** The sealed secrets that sign at this moment, newest first. One query. */
export async function activeCallbackSecrets(em: Em, capabilityId: string, at: Date): Promise<Buffer[]> {
  const sql = `select ${signingSecretsSql('c.id')} as sealed from capability c where c.id = ?`;
  const [row] = await em.execute<{ readonly sealed: readonly string[] }[]>(sql, [at, capabilityId]);
  return (row?.sealed ?? []).map((one) => Buffer.from(one, 'base64'));
}
