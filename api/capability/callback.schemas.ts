import { z } from 'zod';
import { callbackOutcomes, callbackReasons } from '../../domain/capability/callback.ts';
import { invokeBody } from '../invocation/invocation.schemas.ts';
import { bodyKey, datetime, pagedOf, pageQuery, uuid } from '../schemas.ts';
import { callbackSecret } from './capability.schemas.ts';

export const rotatedSecret = z
  .object({
    capability_id: z.uuid(),
    callback_secret: callbackSecret,
    previous_expires_at: datetime
      .nullable()
      .describe(
        'Until then calls are signed with the previous secret too; null where there was none, now with `immediately`',
      ),
  })
  .meta({ id: 'RotatedCallbackSecret' });

export const testCallbackBody = z
  .strictObject({
    // What an invocation may send, a test may.
    input: invokeBody.shape.input,
    idempotency_key: bodyKey.optional(),
  })
  .nullish()
  .meta({ examples: [{ input: { company: 'Example Ltd' } }] });

const outcome = z.enum(callbackOutcomes);
const answerFields = {
  outcome: outcome
    .nullable()
    .describe(
      'answered: 2xx with a JSON object. accepted: 202, delivered later. refused: final. failed: passing, for an ' +
        'invocation tried again while time is left. timed_out: no answer in time. null: under way, or never known ' +
        'because its worker was lost',
    ),
  reason: z.enum(callbackReasons).nullable().describe('Why it was refused or failed; null otherwise'),
  http_status: z.int().nullable().describe('What the seller answered; null where no answer came'),
  latency_ms: z.int().nullable().describe('Milliseconds from the call to its end'),
};

export const testedCallback = z
  .object({
    delivery_id: z.uuid().describe('The id of this call in the list of deliveries'),
    ...answerFields,
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The JSON object that was answered; null unless answered', examples: [{ owner: 'Ann' }] }),
  })
  .meta({ id: 'TestedCallback' });

export const delivery = z
  .object({
    id: z.uuid(),
    capability_id: z.uuid(),
    transaction_id: z.uuid().nullable().describe('The invocation that was called for; null for a test'),
    test: z.boolean(),
    attempt: z.int().describe('Counts the calls of one invocation, from 1'),
    ...answerFields,
    started_at: datetime,
    ended_at: datetime.nullable().describe('null where outcome is'),
  })
  .meta({ id: 'CallbackDelivery' });

export const deliveryPage = pagedOf(delivery).meta({ id: 'CallbackDeliveryPage' });

export const deliveryQuery = z.strictObject({
  outcome: outcome.optional().meta({ examples: ['failed'] }),
  transaction_id: uuid
    .optional()
    .meta({ description: 'Calls of one invocation', examples: ['019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d'] }),
  test: z
    .enum(['true', 'false'])
    .transform((flag) => flag === 'true')
    .optional()
    .meta({ description: 'Tests only, or invocations only', examples: ['false'] }),
  ...pageQuery,
});
