import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { z } from 'zod';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { ApiKey, type ApiKeyRow } from '../../domain/store/api-key.entity.ts';
import { grantPlatform, revokeGrant } from '../../domain/store/platform-grant.store.ts';
import { Platform, type PlatformRow } from '../../domain/store/platform.entity.ts';
import { User } from '../../domain/store/user.entity.ts';
import { makeApiKey } from '../auth/api-key.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { createKeyBody, createPlatformBody, keysQuery, platformsQuery } from './platform.schemas.ts';

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

/** Makes a key. It is in this one answer and nowhere else; whoever loses it revokes it and makes another. */
export async function createKey(
  ctx: Context,
  platformId: string,
  { name, expires_at }: z.output<typeof createKeyBody>,
) {
  await findPlatform(ctx, platformId);
  const at = ctx.now();
  const expiresAt = expires_at === undefined ? null : new Date(expires_at);
  if (expiresAt !== null && expiresAt <= at) throw invalidField('expires_at', 'must be in the future');
  const { row, apiKey } = makeApiKey(ctx.em, { platformId, name, expiresAt, at });
  return shownOnce(toKeyRecord(row), apiKey);
}

/**
 * The answer that is sent is read field by field by its schema; the one that is stored for a replay is made by
 * JSON.stringify, which takes `toJSON` and so never sees the key.
 */
function shownOnce<T extends object>(record: T, apiKey: string) {
  return { ...record, api_key: apiKey, toJSON: () => record };
}

export async function listKeys(ctx: Context, platformId: string, query: z.output<typeof keysQuery>) {
  await findPlatform(ctx, platformId);
  const revoked = query.revoked === undefined ? {} : { revoked_at: query.revoked === 'true' ? { $ne: null } : null };
  const [rows, total] = await ctx.em.findAndCount(ApiKey, { platform_id: platformId, ...revoked }, pageOf(query));
  return paged(rows.map(toListedKey), total, query);
}

/** Stops a key at once, on every node. A second time changes nothing. */
export async function revokeKey(ctx: Context, keyId: string): Promise<{ id: string; deleted: true }> {
  const key = await ctx.em.findOne(ApiKey, { id: keyId });
  if (key === null) throw new MarketplaceError('not_found');
  key.revoked_at ??= ctx.now();
  return { id: keyId, deleted: true };
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

async function findPlatform(ctx: Context, id: string): Promise<PlatformRow> {
  const platform = await ctx.em.findOne(Platform, { id });
  if (platform === null) throw new MarketplaceError('not_found', null, { text: 'No such platform.' });
  return platform;
}

function pageOf({ page, page_size }: { readonly page: number; readonly page_size: number }) {
  return { orderBy: { created_at: 'desc', id: 'desc' }, limit: page_size, offset: (page - 1) * page_size } as const;
}

function toPlatformRecord({ id, name, created_at }: PlatformRow) {
  return { id, name, created_at: created_at.toISOString() };
}

function toListedKey(row: ApiKeyRow) {
  return { ...toKeyRecord(row), revoked_at: row.revoked_at?.toISOString() ?? null };
}

function toKeyRecord({ id, platform_id, name, prefix, created_at, expires_at }: ApiKeyRow) {
  const times = { created_at: created_at.toISOString(), expires_at: expires_at?.toISOString() ?? null };
  return { id, platform_id, name, prefix, ...times };
}
