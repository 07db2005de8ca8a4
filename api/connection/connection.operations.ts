import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { lockApiKey } from '../../domain/store/api-key.store.ts';
import { listConnections } from '../../domain/store/connection.store.ts';
import { revokeGrant } from '../../domain/store/platform-grant.store.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import { maxShownKeys, type connectionQuery } from './connection.schemas.ts';

/** The platforms that may act for the caller, with the keys that are the caller's own. */
export async function readConnections(ctx: Context, query: z.output<typeof connectionQuery>) {
  const page = { offset: (query.page - 1) * query.page_size, limit: query.page_size, keys: maxShownKeys };
  const { items, total } = await listConnections(ctx.em, ctx.caller.userId, page, ctx.now());
  const records = items.map(({ created_at, keys, ...rest }) => ({
    ...rest,
    created_at: new Date(created_at).toISOString(),
    keys: keys.map((key) => ({
      ...key,
      created_at: new Date(key.created_at).toISOString(),
      last_used_at: isoTime(key.last_used_at),
      expires_at: isoTime(key.expires_at),
    })),
  }));
  return paged(records, total, query);
}

/** Takes from a platform the right to act for the caller, and revokes the caller's keys of it, both at once. */
export async function disconnect(ctx: Context, platformId: string): Promise<{ id: string; deleted: true }> {
  if (!(await revokeGrant(ctx.em, platformId, ctx.caller.userId, ctx.now()))) throw new MarketplaceError('not_found');
  return { id: platformId, deleted: true };
}

/** Revokes one key that is bound to the caller; a second time changes nothing. The platform keeps its right. */
export async function disconnectKey(
  ctx: Context,
  platformId: string,
  keyId: string,
): Promise<{ id: string; deleted: true }> {
  const key = await lockApiKey(ctx.em, keyId);
  // A key of somebody else's is as good as none.
  if (key === null || key.platform_id !== platformId || key.user_id !== ctx.caller.userId)
    throw new MarketplaceError('not_found');
  key.revoked_at ??= ctx.now();
  return { id: keyId, deleted: true };
}

function isoTime(value: string | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}
