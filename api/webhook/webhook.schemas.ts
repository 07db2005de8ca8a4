import { z } from 'zod';
import {
  attemptOutcomes,
  attemptReasons,
  deliveryStatuses,
  disabledReasons,
  subscribableTypes,
  webhookStatuses,
} from '../../domain/webhook/webhook.ts';
import { bodyKey, datetime, pagedOf, pageQuery, text, uuid } from '../schemas.ts';

const exampleId = '019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d';

export const webhookParams = z.object({ webhook_id: uuid });
export const deliveryParams = z.object({ webhook_id: uuid, delivery_id: uuid });

const eventType = z.enum([...subscribableTypes]);
const url = text(2_000)
  .describe('Public http(s) address that events are posted to')
  .meta({ examples: ['https://agent.example/webhook'] });
const eventTypes = z
  .array(eventType)
  .max(50)
  .transform((given) => [...new Set(given)])
  .meta({
    description: 'Which events; without any all, also types that are added later',
    examples: [['transaction.accepted', 'transaction.delivered']],
  });
const description = text(500)
  .nullable()
  .meta({ examples: ['Orders of the shop'] });

const example = { url: 'https://agent.example/webhook', event_types: ['transaction.delivered'] };

export const createWebhookBody = z
  .strictObject({
    url,
    event_types: eventTypes.default([]),
    description: description.default(null),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'CreateWebhookRequest', examples: [example] });

export const updateWebhookBody = z
  .strictObject({
    url: url.optional(),
    event_types: eventTypes.optional(),
    description: description.optional(),
    status: z
      .enum(webhookStatuses)
      .optional()
      .describe('`enabled` after it was disabled, by whomever; `disabled` to stop it, with what waits'),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'UpdateWebhookRequest', examples: [{ status: 'enabled' }] });

export const webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    event_types: z.array(z.string()).describe('Empty: all'),
    description: z.string().nullable(),
    status: z.enum(webhookStatuses),
    disabled_at: datetime.nullable(),
    disabled_reason: z
      .enum(disabledReasons)
      .nullable()
      .describe(
        'gone: it answered 410. failing: nothing arrived for long, or too much waited. owner: you stopped it, or took ' +
          'back the grant of the platform whose key made it',
      ),
    failing_since: datetime.nullable().describe('Since when nothing has arrived; null while all is well'),
    created_at: datetime,
    updated_at: datetime,
  })
  .meta({ id: 'Webhook' });

const secret = z
  .string()
  .nullable()
  .meta({
    description:
      'Standard Webhooks secret that signs the requests. Shown once, in the answer to the request that made it; null in ' +
      'the replay of an answer. One that was lost is replaced by POST /api/v1/webhooks/{webhook_id}/rotate-secret',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  });

export const createdWebhook = webhook.extend({ secret }).meta({ id: 'CreatedWebhook' });
export const webhookPage = pagedOf(webhook).meta({ id: 'WebhookPage' });
export const webhookQuery = z.strictObject(pageQuery);
export const webhookDeleted = z.object({
  id: z.uuid().meta({ description: 'What was deleted', examples: [exampleId] }),
  deleted: z.literal(true),
});

export const rotatedWebhookSecret = z
  .object({
    webhook_id: z.uuid(),
    secret,
    previous_expires_at: datetime
      .nullable()
      .describe('Until then requests are signed with the previous secret too; now with `immediately`'),
  })
  .meta({ id: 'RotatedWebhookSecret' });

const deliveryStatus = z.enum(deliveryStatuses);

export const webhookDelivery = z
  .object({
    id: z.uuid().describe('The header `webhook-id`, the same at every attempt'),
    webhook_id: z.uuid(),
    event_seq: z.string().nullable().describe('The event’s `seq` in the feed; null for a test'),
    event_type: z.string(),
    status: deliveryStatus.describe(
      'pending: an attempt is due or under way. delivered: 2xx. failed: no other attempt. cancelled: the webhook was ' +
        'disabled meanwhile',
    ),
    attempt_count: z.int(),
    next_attempt_at: datetime.nullable().describe('null unless pending'),
    created_at: datetime,
    ended_at: datetime.nullable().describe('null while pending'),
    last_http_status: z.int().nullable().describe('Of the last attempt; null where no answer came'),
    last_latency_ms: z.int().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

const attempt = z
  .object({
    number: z.int().describe('Counts all attempts, from 1, also of sendings that you asked for'),
    outcome: z
      .enum(attemptOutcomes)
      .nullable()
      .describe('null while it is under way, and for good where its worker was lost'),
    reason: z.enum(attemptReasons).nullable().describe('Why it failed'),
    http_status: z.int().nullable(),
    latency_ms: z.int().nullable(),
    started_at: datetime,
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDeliveryDetail = webhookDelivery
  .extend({
    body: z.string().describe('What is sent, byte for byte'),
    attempts: z.array(attempt).describe('The last 100, oldest first'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });

export const webhookDeliveryPage = pagedOf(webhookDelivery).meta({ id: 'WebhookDeliveryPage' });

export const webhookDeliveryQuery = z.strictObject({
  status: deliveryStatus.optional().meta({ examples: ['failed'] }),
  event_type: text(100)
    .optional()
    .meta({ examples: ['transaction.delivered'] }),
  ...pageQuery,
});
