import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import {
  findTestedDelivery,
  listDeliveries,
  type TestedDelivery,
} from '../../domain/store/callback-delivery-list.store.ts';
import { rotateCallbackSecret } from '../../domain/store/callback-secret.store.ts';
import { storeAnswer } from '../../domain/store/idempotency.store.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import { makeCallbackSecret, shownOnce } from './callback-secret.ts';
import type { rotateSecretBody } from '../signing-secret.schemas.ts';
import type { deliveryQuery, testCallbackBody } from './callback.schemas.ts';
import { findOwn, lockOwn } from './capability.operations.ts';

/** Replaces the signing secret. Errors: not_found, forbidden, conflict where there is no address to call. */
export async function rotateSecret(ctx: Context, id: string, body: z.output<typeof rotateSecretBody>) {
  needUrl(await lockOwn(ctx, id));
  const { secret, row } = makeCallbackSecret(ctx, id);
  const overlapMs = body?.immediately === true ? null : ctx.settings.callbackSecretOverlapMs;
  const endsAt = await rotateCallbackSecret(ctx.em, row, overlapMs);
  const target = { type: 'capability', id } as const;
  await audit(ctx, { action: 'capability.rotate_secret', target, data: { immediately: overlapMs === null } });
  return shownOnce({ capability_id: id, previous_expires_at: endsAt?.toISOString() ?? null }, secret);
}

/** One page of the calls that were made, for the owner only. Errors: not_found, forbidden. */
export async function readDeliveries(ctx: Context, id: string, query: z.output<typeof deliveryQuery>) {
  await findOwn(ctx, id);
  const { page, page_size, ...filters } = query;
  const [items, total] = await listDeliveries(ctx.em, id, { page, page_size }, filters);
  return paged(items, total, { page, page_size });
}

/**
 * Calls the address once as an invocation does, and answers what came of it, whatever that is. Nobody buys anything.
 * Errors: not_found, forbidden, conflict where there is no address to call, unavailable where no call was made.
 */
export async function testCallback(
  ctx: Context,
  id: string,
  body: z.output<typeof testCallbackBody>,
): Promise<TestedDelivery & { readonly delivery_id: string }> {
  const capability = await findOwn(ctx, id);
  const callbackUrl = needUrl(capability);
  const deliveryId = ctx.newId(`callback_test/${id}`);
  const earlier = ctx.idempotency === null ? null : await findTestedDelivery(ctx.em, deliveryId);
  // Where an API died before it stored the answer, the delivery has it: the same key does not call again.
  if (earlier === null || earlier.outcome === null) {
    await ctx.workflows.testCallback({
      deliveryId,
      capabilityId: id,
      ownerUserId: ctx.caller.userId,
      callbackUrl,
      timeoutMs: capability.callback_timeout_sec * 1000,
      input: body?.input ?? {},
      requestId: ctx.requestId,
    });
  }
  const tested = await findTestedDelivery(ctx.em, deliveryId);
  // A call for which the host had no room is taken back.
  if (tested === null) throw new MarketplaceError('unavailable', { retry_after_sec: 2 });
  const answer = { delivery_id: deliveryId, ...tested };
  if (ctx.idempotency !== null) await storeAnswer(ctx.em, ctx.idempotency, 200, answer);
  return answer;
}

function needUrl({ callback_url }: { readonly callback_url?: string | null | undefined }): string {
  if (callback_url) return callback_url;
  const text = 'This capability has no callback_url. Set one first, by PUT /api/v1/capabilities/{cap_id}.';
  throw new MarketplaceError('conflict', null, { text });
}
