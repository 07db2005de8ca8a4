import type { AddRoute } from '../route.ts';
import { emptyBody } from '../schemas.ts';
import { rotateSecretBody } from '../signing-secret.schemas.ts';
import {
  readWebhookDeliveries,
  readWebhookDelivery,
  resendWebhookDelivery,
  testWebhook,
} from './delivery.operations.ts';
import {
  changeWebhook,
  createWebhook,
  readWebhook,
  readWebhooks,
  removeWebhook,
  rotateSecretOfWebhook,
} from './webhook.operations.ts';
import * as schemas from './webhook.schemas.ts';

const base = '/api/v1/webhooks';
const one = `${base}/:webhook_id`;
const shared = { tag: 'webhooks', access: 'caller' } as const;
const write = { ...shared, write: 'plain', operation: 'sell', params: schemas.webhookParams } as const;

// Each test, and each sending, makes the platform call an address that a stranger chose.
const testLimit = { max: 10, timeWindow: '1 minute' };
const resendLimit = { max: 60, timeWindow: '1 minute' };

/** Webhooks: subscriptions, and what became of each delivery. */
export function webhookRoutes(add: AddRoute): void {
  subscriptions(add);
  add({
    ...write,
    method: 'POST',
    url: `${one}/test`,
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Posts an event `webhook.test`, signed as all others, also where the webhook is disabled. It is tried once; ask ' +
      'for the delivery to see what came of it. At most 10 a minute.',
    rateLimit: testLimit,
    httpStatus: 201,
    body: emptyBody,
    data: schemas.webhookDelivery,
    errors: ['not_found'],
    handler: async (ctx, { params }) => await testWebhook(ctx, params.webhook_id),
  });
  add({
    ...shared,
    method: 'GET',
    write: 'none',
    url: `${one}/deliveries`,
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries, newest first',
    description: 'Deliveries are kept for 30 days, unless the operator chose otherwise.',
    params: schemas.webhookParams,
    query: schemas.webhookDeliveryQuery,
    data: schemas.webhookDeliveryPage,
    errors: ['not_found'],
    handler: async (ctx, { params, query }) => await readWebhookDeliveries(ctx, params.webhook_id, query),
  });
  add({
    ...shared,
    method: 'GET',
    write: 'none',
    url: `${one}/deliveries/:delivery_id`,
    operationId: 'getWebhookDelivery',
    summary: 'Read a delivery: what is sent, and every attempt',
    description: 'What a receiver answers is not kept, but for its status.',
    params: schemas.deliveryParams,
    data: schemas.webhookDeliveryDetail,
    errors: ['not_found'],
    handler: async (ctx, { params }) => await readWebhookDelivery(ctx, params.webhook_id, params.delivery_id),
  });
  add({
    ...write,
    method: 'POST',
    url: `${one}/deliveries/:delivery_id/resend`,
    operationId: 'resendWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'The same bytes under the same `webhook-id`, with all retries. Refused (4093) while the delivery is pending and ' +
      'while the webhook is disabled. At most 60 a minute.',
    rateLimit: resendLimit,
    params: schemas.deliveryParams,
    body: emptyBody,
    data: schemas.webhookDelivery,
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params }) => await resendWebhookDelivery(ctx, params.webhook_id, params.delivery_id),
  });
}

function subscriptions(add: AddRoute): void {
  add({
    ...shared,
    method: 'POST',
    operation: 'sell',
    write: 'plain',
    url: base,
    operationId: 'createWebhook',
    summary: 'Have events posted to an address of yours',
    description:
      'Each event of your feed from now on is posted as `{type, timestamp, data}`, `data` being the event as ' +
      '`GET /api/v1/events` shows it; signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, ' +
      '`webhook-signature`) with the secret that this answer shows once. Answer 2xx within 15 s. Anything else, a ' +
      'redirect too, is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, later where you send ' +
      'Retry-After. An event may come twice, with the same `webhook-id`, and out of order: `data.seq` orders. 410 ' +
      'disables the webhook, and so do five days without success, or a delivery that used up its attempts while nothing ' +
      'else arrived; an event `webhook.disabled` then stands in your feed. At most 20 a user. A webhook whose ' +
      'address a platform’s key set ends with your grant to the platform.',
    httpStatus: 201,
    body: schemas.createWebhookBody,
    data: schemas.createdWebhook,
    errors: ['conflict', 'user_not_granted'],
    handler: async (ctx, { body }) => await createWebhook(ctx, body),
  });
  add({
    ...shared,
    method: 'GET',
    write: 'none',
    url: base,
    operationId: 'listWebhooks',
    summary: 'List your webhooks, newest first',
    query: schemas.webhookQuery,
    data: schemas.webhookPage,
    errors: [],
    handler: async (ctx, { query }) => await readWebhooks(ctx, query),
  });
  add({
    ...shared,
    method: 'GET',
    write: 'none',
    url: one,
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    params: schemas.webhookParams,
    data: schemas.webhook,
    errors: ['not_found'],
    handler: async (ctx, { params }) => await readWebhook(ctx, params.webhook_id),
  });
  add({
    ...write,
    method: 'PUT',
    url: one,
    operationId: 'updateWebhook',
    summary: 'Change a webhook, stop it, or enable it again',
    description:
      'Fields that are left out stay as they are. `status: enabled` forgets past failures and goes on with what happens ' +
      'from now on; what happened meanwhile is in `GET /api/v1/events`, and each cancelled delivery can be sent again.',
    body: schemas.updateWebhookBody,
    data: schemas.webhook,
    errors: ['not_found', 'user_not_granted'],
    handler: async (ctx, { params, body: { idempotency_key: _key, ...changes } }) =>
      await changeWebhook(ctx, params.webhook_id, changes),
  });
  add({
    ...write,
    method: 'DELETE',
    url: one,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook, its secret and its deliveries',
    data: schemas.webhookDeleted,
    errors: ['not_found'],
    handler: async (ctx, { params }) => await removeWebhook(ctx, params.webhook_id),
  });
  add({
    ...write,
    method: 'POST',
    url: `${one}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the signing secret of a webhook',
    description:
      'Until `previous_expires_at` requests carry a signature of the previous secret beside that of the new one. With ' +
      '`immediately` every earlier secret ends at once: for one that has leaked.',
    body: rotateSecretBody,
    data: schemas.rotatedWebhookSecret,
    errors: ['not_found'],
    handler: async (ctx, { params, body }) => await rotateSecretOfWebhook(ctx, params.webhook_id, body),
  });
}
