import type { PlatformKind } from '../identity/api-key.ts';
import type { Em } from './orm.ts';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

/** A platform that a user has granted, with the newest keys that are bound to the user and in force. */
export interface ConnectionRow {
  readonly platform_id: string;
  readonly platform_name: string;
  readonly platform_kind: PlatformKind;
  readonly created_at: string | Date;
  readonly keys: readonly KeyRow[];
}

const boundKeys = `coalesce((select json_agg(b order by b.created_at desc, b.id desc) from (
    select k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.expires_at from api_key k
    where k.user_id = g.user_id and k.platform_id = g.platform_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ?)
    order by k.created_at desc, k.id desc limit ?) b), '[]')`;

interface Page {
  readonly offset: number;
  readonly limit: number;
  /** At most so many keys a platform. */
  readonly keys: number;
}

/** A page of a user's connections, newest first, with the total. */
export async function listConnections(
  em: Em,
  userId: string,
  { offset, limit, keys }: Page,
  now: Date,
): Promise<{ items: ConnectionRow[]; total: number }> {
  const items = await em.execute<ConnectionRow[]>(
    `select g.platform_id, p.name as platform_name, p.kind as platform_kind, g.created_at, ${boundKeys} as keys
     from platform_grant g join platform p on p.id = g.platform_id where g.user_id = ? and g.revoked_at is null
     order by g.created_at desc, g.platform_id limit ? offset ?`,
    [now, keys, userId, limit, offset],
  );
  const [count] = await em.execute<[{ total: string }]>(
    'select count(*) as total from platform_grant where user_id = ? and revoked_at is null',
    [userId],
  );
  return { items, total: Number(count.total) };
}
