import type { z } from 'zod';
import { refusedAddress } from '../../domain/capability/callback-address.ts';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import {
  insertWebhookSecret,
  rotateWebhookSecret,
  webhookSecretPurpose,
} from '../../domain/store/webhook-secret.store.ts';
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockGrantOfKey,
  lockWebhook,
  updateWebhook,
  type WebhookRecord,
  type WebhookRow,
} from '../../domain/store/webhook.store.ts';
import { webhooksPerUser } from '../../domain/webhook/webhook.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import { paged, type Page } from '../schemas.ts';
import { makeSigningSecret, withSecretOnce } from '../signing-secret.ts';
import type { rotateSecretBody } from '../signing-secret.schemas.ts';
import type { createWebhookBody, updateWebhookBody } from './webhook.schemas.ts';

/** Subscribes an address of the caller's. The answer has its secret. Errors: validation_failed, conflict, user_not_granted. */
export async function createWebhook(ctx: Context, given: z.output<typeof createWebhookBody>) {
  checkUrl(ctx, given.url);
  const id = ctx.newId('webhook');
  const { userId, apiKeyId } = ctx.caller;
  const outcome = await insertWebhook(
    ctx.em,
    {
      id,
      userId,
      apiKeyId,
      protocol: 'events',
      transactionId: null,
      configId: null,
      url: given.url,
      eventTypes: given.event_types,
      description: given.description,
      sealedCredential: null,
      protocolData: null,
      settledSeq: await settledSeqOf(ctx),
      at: ctx.now(),
    },
    webhooksPerUser,
  );
  if (outcome !== 'written') throw refusalOf(outcome, id);
  const { secret, row } = makeSigningSecret(ctx, id, webhookSecretPurpose(id));
  await insertWebhookSecret(ctx.em, row);
  await audit(ctx, { action: 'webhook.create', target: { type: 'webhook', id } });
  return withSecretOnce(shownOf(await findOwnWebhook(ctx, id)), 'secret', secret);
}

/** One page of the caller's webhooks, newest first. */
export async function readWebhooks(ctx: Context, page: Page) {
  const [items, total] = await listWebhooks(ctx.em, scopeOf(ctx), page);
  return paged(items.map(shownOf), total, page);
}

/** Errors: not_found. */
export async function readWebhook(ctx: Context, id: string): Promise<WebhookRecord> {
  return shownOf(await findOwnWebhook(ctx, id));
}

/** Changes what was given. Errors: not_found, validation_failed, user_not_granted. */
export async function changeWebhook(
  ctx: Context,
  id: string,
  { status, ...changes }: Omit<z.output<typeof updateWebhookBody>, 'idempotency_key'>,
): Promise<WebhookRecord> {
  if (changes.url !== undefined) checkUrl(ctx, changes.url);
  const { userId, apiKeyId } = ctx.caller;
  // Before the webhook, as whoever takes a grant back does.
  if (!(await lockGrantOfKey(ctx.em, apiKeyId, userId))) throw refusalOf('grant_ended', id);
  const before = await lockOwnWebhook(ctx, id);
  const at = ctx.now();
  await updateWebhook(ctx.em, id, changes, { apiKeyId, at });
  if (status === 'disabled') await disableWebhook(ctx.em, id, 'owner', at);
  if (status === 'enabled' && before.status === 'disabled')
    await enableWebhook(ctx.em, id, { settledSeq: await settledSeqOf(ctx), at });
  const fields = Object.keys({ ...changes, ...(status === undefined ? {} : { status }) });
  await audit(ctx, { action: 'webhook.update', target: { type: 'webhook', id }, data: { fields } });
  return await readWebhook(ctx, id);
}

/** Takes a webhook away, with its secrets and what waits. Errors: not_found. */
export async function removeWebhook(ctx: Context, id: string): Promise<{ id: string; deleted: true }> {
  await lockOwnWebhook(ctx, id);
  await deleteWebhook(ctx.em, id, ctx.now());
  await audit(ctx, { action: 'webhook.delete', target: { type: 'webhook', id } });
  return { id, deleted: true };
}

/** Replaces the signing secret. Errors: not_found. */
export async function rotateSecretOfWebhook(ctx: Context, id: string, body: z.output<typeof rotateSecretBody>) {
  await lockOwnWebhook(ctx, id);
  const { secret, row } = makeSigningSecret(ctx, id, webhookSecretPurpose(id));
  const overlapMs = body?.immediately === true ? null : ctx.settings.callbackSecretOverlapMs;
  const endsAt = await rotateWebhookSecret(ctx.em, row, overlapMs);
  const data = { immediately: overlapMs === null };
  await audit(ctx, { action: 'webhook.rotate_secret', target: { type: 'webhook', id }, data });
  return withSecretOnce({ webhook_id: id, previous_expires_at: endsAt?.toISOString() ?? null }, 'secret', secret);
}

/** A webhook of the caller's; those of others are not there. Errors: not_found. */
export async function findOwnWebhook(ctx: Context, id: string): Promise<WebhookRow> {
  return foundOr(await findWebhook(ctx.em, scopeOf(ctx), id));
}

/** The same, locked until the SQL transaction ends. */
export async function lockOwnWebhook(ctx: Context, id: string): Promise<WebhookRow> {
  return foundOr(await lockWebhook(ctx.em, scopeOf(ctx), id));
}

function foundOr(row: WebhookRow | null): WebhookRow {
  if (row === null) throw new MarketplaceError('not_found', null, { text: 'No such webhook.' });
  return row;
}

function scopeOf({ caller }: Context) {
  return { userId: caller.userId, transactionId: null };
}

const settledWithinMs = 1_000;

/** Up to here everything has happened before; 0 where this node does not find out in time. */
async function settledSeqOf({ eventFeed }: Context): Promise<bigint> {
  return (await eventFeed.tail.settled(settledWithinMs)) ?? 0n;
}

function checkUrl({ settings }: Context, url: string): void {
  const refused = refusedAddress(url, settings.callbackAllowPrivate);
  if (refused !== null) throw invalidField('url', refused);
}

function refusalOf(outcome: 'limit_reached' | 'exists' | 'grant_ended', id: string): MarketplaceError {
  switch (outcome) {
    case 'limit_reached': {
      const text = `You have ${webhooksPerUser} webhooks, which is the most. Delete one first.`;
      return new MarketplaceError('conflict', { limit: webhooksPerUser }, { text });
    }
    case 'exists': {
      // The stored answer of a key is forgotten after its time; the id that was derived from the key is not.
      const text = 'An earlier request with this Idempotency-Key made data.webhook_id.';
      return new MarketplaceError('conflict', { webhook_id: id }, { text });
    }
    case 'grant_ended':
      return new MarketplaceError('user_not_granted');
  }
}

function shownOf(row: WebhookRow): WebhookRecord {
  const { id, url, event_types, description, status, disabled_at, disabled_reason, failing_since } = row;
  const times = { created_at: row.created_at, updated_at: row.updated_at };
  return { id, url, event_types, description, status, disabled_at, disabled_reason, failing_since, ...times };
}
