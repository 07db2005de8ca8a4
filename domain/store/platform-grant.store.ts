import type { Em } from './orm.ts';

export interface GrantRow {
  readonly platform_id: string;
  readonly platform_name: string;
  readonly created_at: string | Date;
}

/** Grants a platform the right to act for a user; a revoked grant lives again. Answers since when it stands. */
export async function grantPlatform(em: Em, platformId: string, userId: string, at: Date): Promise<Date> {
  const [row] = await em.execute<[{ created_at: string | Date }]>(
    `insert into platform_grant as g (platform_id, user_id, created_at) values (?, ?, ?)
     on conflict (platform_id, user_id) do update set revoked_at = null,
       created_at = case when g.revoked_at is null then g.created_at else excluded.created_at end
     returning created_at`,
    [platformId, userId, at],
  );
  return new Date(row.created_at);
}

/** Takes the right back; false when there is no such grant. */
export async function revokeGrant(em: Em, platformId: string, userId: string, at: Date): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update platform_grant set revoked_at = ? where platform_id = ? and user_id = ? and revoked_at is null returning 1`,
    [at, platformId, userId],
  );
  return rows.length > 0;
}

/** A page of the platforms that a user has granted, newest first, with the total. */
export async function listGrants(
  em: Em,
  { userId, platformId }: { readonly userId: string; readonly platformId: string | null },
  offset: number,
  limit: number,
): Promise<{ items: GrantRow[]; total: number }> {
  const condition = `where g.user_id = ? and g.revoked_at is null${platformId === null ? '' : ' and g.platform_id = ?'}`;
  const values = platformId === null ? [userId] : [userId, platformId];
  const items = await em.execute<GrantRow[]>(
    `select g.platform_id, p.name as platform_name, g.created_at from platform_grant g
     join platform p on p.id = g.platform_id ${condition}
     order by g.created_at desc, g.platform_id limit ? offset ?`,
    [...values, limit, offset],
  );
  const [count] = await em.execute<[{ total: string }]>(
    `select count(*) as total from platform_grant g ${condition}`,
    values,
  );
  return { items, total: Number(count.total) };
}
