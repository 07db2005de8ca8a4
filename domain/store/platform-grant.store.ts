import type { Em } from './orm.ts';
import { disableWebhooksOfPlatform } from './webhook.store.ts';

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

/**
 * Takes the right back; false when there is neither a grant nor a key of the user's own. Such keys end with it, and the
 * webhooks whose address the platform's keys set, with what waits for these: a later approval of another device must not bring them back.
 */
export async function revokeGrant(em: Em, platformId: string, userId: string, at: Date): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update platform_grant set revoked_at = ? where platform_id = ? and user_id = ? and revoked_at is null returning 1`,
    [at, platformId, userId],
  );
  const keys = await em.execute<unknown[]>(
    `update api_key set revoked_at = ? where platform_id = ? and user_id = ? and revoked_at is null returning 1`,
    [at, platformId, userId],
  );
  await disableWebhooksOfPlatform(em, platformId, userId, at);
  return rows.length + keys.length > 0;
}

/** Whether a platform may act for a user. Where it may, nobody takes that back until the SQL transaction ends. */
export async function lockGrant(em: Em, platformId: string, userId: string): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    'select 1 from platform_grant where platform_id = ? and user_id = ? and revoked_at is null for share',
    [platformId, userId],
  );
  return rows.length > 0;
}
