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
