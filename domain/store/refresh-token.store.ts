import type { Em } from './orm.ts';
import { RefreshToken, type RefreshTokenRow } from './refresh-token.entity.ts';

/**
 * Finds a token by its hash and locks its family until the end of the SQL transaction. The lock is on the family's first
 * token: a lock on the token alone would let a successor be made while another request revokes the family.
 */
export async function lockRefreshToken(em: Em, tokenHash: Buffer): Promise<RefreshTokenRow | null> {
  const locked = await em.execute<unknown[]>(
    `select id from refresh_token where id = (select family_id from refresh_token where token_hash = ?) for update`,
    [tokenHash],
  );
  // Read after the lock: what another request did to the family meanwhile must be seen.
  return locked.length === 0 ? null : await em.findOne(RefreshToken, { token_hash: tokenHash }, { refresh: true });
}

/** Ends every token of a family. */
export async function revokeFamily(em: Em, familyId: string, at: Date): Promise<void> {
  await em.nativeUpdate(RefreshToken, { family_id: familyId, revoked_at: null }, { revoked_at: at });
}

/** Ends every living family of a user but one, and answers which; a refresh under way is waited for, and ended. */
export async function revokeFamiliesOf(em: Em, userId: string, spared: string | null, at: Date): Promise<string[]> {
  const living = await em.execute<{ id: string }[]>(
    `select id from refresh_token where user_id = ? and id = family_id and revoked_at is null
     order by id for update`,
    [userId],
  );
  const ended = living.map(({ id }) => id).filter((id) => id !== spared);
  await em.nativeUpdate(RefreshToken, { family_id: { $in: ended }, revoked_at: null }, { revoked_at: at });
  return ended;
}

/** The families that were ended in the last seconds. */
export async function familiesEndedWithin(em: Em, seconds: number): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from refresh_token where id = family_id and revoked_at > now() - make_interval(secs => ?)`,
    [seconds],
  );
  return rows.map(({ id }) => id);
}

/** Whether a family was ended. One query. */
export async function isFamilyEnded(em: Em, familyId: string): Promise<boolean> {
  const sql = 'select 1 from refresh_token where id = ? and revoked_at is not null';
  return (await em.execute<unknown[]>(sql, [familyId])).length > 0;
}

/** Drops what no use can be told of any more: expired tokens, but a family's first only once the whole family expired. */
export async function forgetExpiredTokens(em: Em, userId: string, now: Date): Promise<void> {
  await em.execute(
    `delete from refresh_token where id in (
       select t.id from refresh_token t where t.user_id = ? and t.expires_at < ? and (t.id <> t.family_id
         or not exists (select 1 from refresh_token live where live.family_id = t.family_id and live.expires_at >= ?))
       for update skip locked)`,
    [userId, now, now],
  );
}
