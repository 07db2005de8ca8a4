import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { z } from 'zod';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { grantPlatform, revokeGrant } from '../../domain/store/platform-grant.store.ts';
import { Platform, type PlatformRow } from '../../domain/store/platform.entity.ts';
import { User } from '../../domain/store/user.entity.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { createPlatformBody, platformsQuery } from './platform.schemas.ts';

export async function createPlatform(ctx: Context, { name }: z.output<typeof createPlatformBody>) {
  const platform = ctx.em.create(Platform, { id: ctx.newId('platform'), name, created_at: ctx.now() });
  try {
    await ctx.em.flush();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new MarketplaceError(
      'conflict',
      { field: 'name' },
      { text: 'A platform of this name exists.', cause: error },
    );
  }
  return toPlatformRecord(platform);
}

export async function listPlatforms(ctx: Context, query: z.output<typeof platformsQuery>) {
  const where = query.name === undefined ? {} : { name: query.name };
  const [rows, total] = await ctx.em.findAndCount(Platform, where, pageOf(query));
  return paged(rows.map(toPlatformRecord), total, query);
}

/** Lets a platform act for a user, as the user's own approval does. */
export async function grantUser(ctx: Context, platformId: string, userId: string) {
  await findPlatform(ctx, platformId);
  if ((await ctx.em.count(User, { id: userId })) === 0) throw invalidField('user_id', 'no such user');
  const since = await grantPlatform(ctx.em, platformId, userId, ctx.now());
  return { platform_id: platformId, user_id: userId, created_at: since.toISOString() };
}

export async function revokeUserGrant(
  ctx: Context,
  platformId: string,
  userId: string,
): Promise<{ id: string; deleted: true }> {
  if (!(await revokeGrant(ctx.em, platformId, userId, ctx.now()))) throw new MarketplaceError('not_found');
  return { id: userId, deleted: true };
}

/** Throws not_found. */
export async function findPlatform(ctx: Context, id: string): Promise<PlatformRow> {
  const platform = await ctx.em.findOne(Platform, { id });
  if (platform === null) throw new MarketplaceError('not_found', null, { text: 'No such platform.' });
  return platform;
}

/** A page, newest first. */
export function pageOf({ page, page_size }: { readonly page: number; readonly page_size: number }) {
  return { orderBy: { created_at: 'desc', id: 'desc' }, limit: page_size, offset: (page - 1) * page_size } as const;
}

function toPlatformRecord({ id, name, created_at }: PlatformRow) {
  return { id, name, created_at: created_at.toISOString() };
}
