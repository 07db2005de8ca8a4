import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import {
  findWebhookDelivery,
  insertTestDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
  resendDelivery,
  type WebhookDeliveryRecord,
} from '../../domain/store/webhook-delivery-list.store.ts';
import { renderTest } from '../../domain/webhook/webhook-body.ts';
import { testEventType } from '../../domain/webhook/webhook.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import { findOwnWebhook, lockOwnWebhook } from './webhook.operations.ts';
import type { webhookDeliveryQuery } from './webhook.schemas.ts';

/** One page of a webhook's deliveries, newest first. Errors: not_found. */
export async function readWebhookDeliveries(
  ctx: Context,
  webhookId: string,
  query: z.output<typeof webhookDeliveryQuery>,
) {
  await findOwnWebhook(ctx, webhookId);
  const { page, page_size, ...filters } = query;
  const [items, total] = await listWebhookDeliveries(ctx.em, webhookId, { page, page_size }, filters);
  return paged(items, total, { page, page_size });
}

/** A delivery with what is sent and its attempts. Errors: not_found. */
export async function readWebhookDelivery(ctx: Context, webhookId: string, id: string) {
  await findOwnWebhook(ctx, webhookId);
  const delivery = await findOrThrow(ctx, webhookId, id);
  return { ...delivery, attempts: await listWebhookAttempts(ctx.em, id) };
}

/**
 * Sends a test, also to a webhook that is disabled; answers its delivery, which has not been attempted yet. It goes the
 * way of every other, but is tried once. Errors: not_found.
 */
export async function testWebhook(ctx: Context, webhookId: string): Promise<WebhookDeliveryRecord> {
  await lockOwnWebhook(ctx, webhookId);
  const id = ctx.newId(`webhook_test/${webhookId}`);
  const at = ctx.now();
  const body = renderTest(webhookId, at.toISOString());
  await insertTestDelivery(ctx.em, { id, webhookId, eventType: testEventType, body, at });
  return await findOrThrow(ctx, webhookId, id);
}

/**
 * Sends a delivery again that has ended, with the whole schedule of retries; answers it as it waits. Errors: not_found,
 * conflict while it is pending, or where the webhook is disabled.
 */
export async function resendWebhookDelivery(
  ctx: Context,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  const webhook = await lockOwnWebhook(ctx, webhookId);
  const { event_seq, status } = await findOrThrow(ctx, webhookId, id);
  if (webhook.status === 'disabled' && event_seq !== null) {
    const text = 'This webhook is disabled. Enable it first, by PUT /api/v1/webhooks/{webhook_id}.';
    throw new MarketplaceError('conflict', { status: webhook.status }, { text });
  }
  if (!(await resendDelivery(ctx.em, id, ctx.now()))) {
    const text = 'This delivery is still under way. See data.status.';
    throw new MarketplaceError('conflict', { status }, { text });
  }
  return await findOrThrow(ctx, webhookId, id);
}

async function findOrThrow(ctx: Context, webhookId: string, id: string) {
  const delivery = await findWebhookDelivery(ctx.em, webhookId, id);
  if (delivery === null) throw new MarketplaceError('not_found', null, { text: 'No such delivery.' });
  return delivery;
}
