import type { z } from 'zod';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { isLive, replacedKeyExpiry } from '../../domain/identity/api-key.ts';
import { ApiKey, type ApiKeyRow } from '../../domain/store/api-key.entity.ts';
import { findSuccessor, lockApiKey } from '../../domain/store/api-key.store.ts';
import { formatUt, ut } from '../../domain/ut.ts';
import { makeApiKey } from '../auth/api-key.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { createKeyBody, keysQuery, rotateKeyBody, updateKeyBody } from './key.schemas.ts';
import { findPlatform, pageOf } from './platform.operations.ts';

/** Makes a key. It is in this one answer and nowhere else; whoever loses it revokes it and makes another. */
export async function createKey(
  ctx: Context,
  platformId: string,
  { name, expires_at, operations, addresses, daily_spend_limit_ut }: z.output<typeof createKeyBody>,
) {
  await findPlatform(ctx, platformId);
  const at = ctx.now();
  const expiresAt = expiryOf(expires_at, at);
  const limits = { operations, addresses, daily_spend_limit_ut };
  const { row, apiKey } = makeApiKey(ctx.em, { platformId, name, expiresAt, at, limits });
  return shownOnce(toKeyRecord(row), apiKey);
}

export async function listKeys(ctx: Context, platformId: string, query: z.output<typeof keysQuery>) {
  await findPlatform(ctx, platformId);
  const revoked = query.revoked === undefined ? {} : { revoked_at: query.revoked === 'true' ? { $ne: null } : null };
  const [rows, total] = await ctx.em.findAndCount(ApiKey, { platform_id: platformId, ...revoked }, pageOf(query));
  return paged(rows.map(toListedKey), total, query);
}

/** Changes what was given and leaves the rest; it holds from the next request on. Errors: not_found, conflict. */
export async function updateKey(
  ctx: Context,
  keyId: string,
  { idempotency_key: _key, expires_at, ...changes }: z.output<typeof updateKeyBody>,
) {
  const key = await lockLiveKey(ctx, keyId);
  Object.assign(key, changes);
  if (expires_at !== undefined) key.expires_at = expiryOf(expires_at, ctx.now());
  return toListedKey(key);
}

/**
 * Replaces a key by one of the same limits, which is shown this once. The replaced one works on for the overlap. The lock
 * makes the second of two rotations find the first one's successor: it is refused.
 */
export async function rotateKey(ctx: Context, keyId: string, { overlap_sec }: z.output<typeof rotateKeyBody>) {
  const key = await lockLiveKey(ctx, keyId);
  const successor = await findSuccessor(ctx.em, keyId);
  if (successor !== null) {
    const text = 'This key was replaced by data.api_key_id. Rotate that one, or revoke it first.';
    throw new MarketplaceError('conflict', { api_key_id: successor.id }, { text });
  }
  const at = ctx.now();
  const { row, apiKey } = makeApiKey(ctx.em, {
    platformId: key.platform_id,
    ...(key.user_id === null ? {} : { userId: key.user_id }),
    name: key.name,
    expiresAt: key.expires_at,
    at,
    limits: key,
    predecessor: key,
  });
  key.expires_at = replacedKeyExpiry(key.expires_at, overlap_sec * 1_000, at);
  return shownOnce(toKeyRecord(row), apiKey);
}

/** Stops a key at once, on every node. A second time changes nothing. */
export async function revokeKey(ctx: Context, keyId: string): Promise<{ id: string; deleted: true }> {
  const key = await lockApiKey(ctx.em, keyId);
  if (key === null) throw new MarketplaceError('not_found');
  key.revoked_at ??= ctx.now();
  return { id: keyId, deleted: true };
}

async function lockLiveKey(ctx: Context, keyId: string): Promise<ApiKeyRow> {
  const key = await lockApiKey(ctx.em, keyId);
  if (key === null) throw new MarketplaceError('not_found');
  if (!isLive(key, ctx.now()))
    throw new MarketplaceError('conflict', null, { text: 'This key is revoked or expired.' });
  return key;
}

function expiryOf(given: string | null, now: Date): Date | null {
  const expiresAt = given === null ? null : new Date(given);
  if (expiresAt !== null && expiresAt <= now) throw invalidField('expires_at', 'must be in the future');
  return expiresAt;
}

/**
 * The answer that is sent is read field by field by its schema; the one that is stored for a replay is made by
 * JSON.stringify, which takes `toJSON` and so never sees the key.
 */
function shownOnce<T extends object>(record: T, apiKey: string) {
  return { ...record, api_key: apiKey, toJSON: () => record };
}

function toListedKey(row: ApiKeyRow) {
  const times = { revoked_at: isoTime(row.revoked_at), last_used_at: isoTime(row.last_used_at) };
  return { ...toKeyRecord(row), ...times };
}

function toKeyRecord(row: ApiKeyRow) {
  const { id, platform_id, user_id, name, prefix, operations, addresses, rotated_from } = row;
  const limit = row.daily_spend_limit_ut;
  const daily_spend_limit_ut = limit === null ? null : formatUt(ut(limit));
  const times = { created_at: row.created_at.toISOString(), expires_at: isoTime(row.expires_at) };
  return {
    id,
    platform_id,
    user_id,
    name,
    prefix,
    operations,
    addresses,
    daily_spend_limit_ut,
    rotated_from,
    ...times,
  };
}

function isoTime(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}
