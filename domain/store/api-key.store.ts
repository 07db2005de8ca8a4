import type { ApiKeyUse } from '../identity/api-key.ts';
import type { Em } from './orm.ts';

interface Row {
  readonly id: string;
  readonly expires_at: string | Date | null;
  readonly revoked_at: string | Date | null;
  readonly granted: boolean;
}

/**
 * The key with this hash, and whether this user has granted its platform. One query, made for every request of an agent
 * and never cached, so that a revoked key or grant stops at once on every node.
 */
export async function findApiKeyUse(
  em: Em,
  keyHash: Buffer,
  userId: string,
): Promise<(ApiKeyUse & { readonly id: string }) | null> {
  const [row] = await em.execute<Row[]>(
    `select k.id, k.expires_at, k.revoked_at, g.user_id is not null as granted from api_key k
     left join platform_grant g on g.platform_id = k.platform_id and g.user_id = ? and g.revoked_at is null
     where k.key_hash = ?`,
    [userId, keyHash],
  );
  if (row === undefined) return null;
  return { id: row.id, expires_at: dateOf(row.expires_at), revoked_at: dateOf(row.revoked_at), granted: row.granted };
}

function dateOf(value: string | Date | null): Date | null {
  return value === null ? null : new Date(value);
}
