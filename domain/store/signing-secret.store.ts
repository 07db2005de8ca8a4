import type { Em } from './orm.ts';

/** A signing secret that was sealed and is not written yet. */
export interface NewSigningSecret {
  readonly id: string;
  /** What it signs for: a capability or a webhook. */
  readonly ownerId: string;
  readonly sealed: Buffer;
  readonly at: Date;
}

/** Where the secrets of one kind of owner lie. */
interface SecretTable {
  readonly table: 'callback_secret' | 'webhook_secret';
  readonly owner: 'capability_id' | 'webhook_id';
}

/** How many replaced secrets sign beside the current one: every one makes each signature header longer. */
const expiringAtMost = 3;

/** Writes the first secret of an owner. False where one is current: it stays, and nothing is written. */
export async function insertSigningSecret(
  em: Em,
  { table, owner }: SecretTable,
  secret: NewSigningSecret,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `insert into ${table} (id, ${owner}, sealed, created_at) values (?, ?, ?, ?)
     on conflict (${owner}) where expires_at is null do nothing returning 1`,
    [secret.id, secret.ownerId, secret.sealed, secret.at],
  );
  return rows.length > 0;
}

/**
 * Makes a secret the current one. The one it replaces goes on signing for `overlapMs` milliseconds, older ones to the
 * expiry they have, at most three in all; with `overlapMs` null every earlier one ends at once. Secrets that have ended
 * are deleted. Answers when the replaced one ends; null where none was current.
 *
 * The caller holds the lock of the owner's row, so that rotations come one after the other.
 */
export async function rotateSigningSecret(
  em: Em,
  { table, owner }: SecretTable,
  secret: NewSigningSecret,
  overlapMs: number | null,
): Promise<Date | null> {
  const endsAt = new Date(secret.at.getTime() + (overlapMs ?? 0));
  const replaced = await em.execute<unknown[]>(
    `update ${table} set expires_at = ? where ${owner} = ? and expires_at is null returning 1`,
    [endsAt, secret.ownerId],
  );
  await em.execute(
    `delete from ${table} where ${owner} = ? and (expires_at <= ? or id not in
       (select id from ${table} where ${owner} = ? order by created_at desc, id desc limit ?))`,
    [secret.ownerId, secret.at, secret.ownerId, overlapMs === null ? 0 : expiringAtMost],
  );
  await em.execute(`insert into ${table} (id, ${owner}, sealed, created_at) values (?, ?, ?, ?)`, [
    secret.id,
    secret.ownerId,
    secret.sealed,
    secret.at,
  ]);
  return replaced.length > 0 ? endsAt : null;
}

/**
 * SQL of the sealed secrets that sign at a moment, as an array in base64: the current one, then those that expire, newest
 * first. Its one parameter is the moment.
 */
export function signingSecretsOf({ table, owner }: SecretTable, ownerId: string): string {
  return `(select coalesce(json_agg(encode(s.sealed, 'base64') order by s.expires_at is null desc, s.created_at desc, s.id desc),
    '[]') from ${table} s where s.${owner} = ${ownerId} and (s.expires_at is null or s.expires_at > ?))`;
}
