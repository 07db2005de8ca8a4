import { z } from 'zod';
import { bodyKey, jsonObject, uuid } from '../schemas.ts';

const object = z.record(z.string(), z.unknown());

export const invokeParams = z.object({ cap_id: uuid });

export const invokeBody = z
  .strictObject({
    input: jsonObject.default({}).describe('Parameters passed to the capability'),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'InvokeRequest', examples: [{ input: { company: 'Acme GmbH' }, idempotency_key: 'lookup-4711' }] });

export const invokeResult = z
  .object({
    transaction_id: z.string().meta({ format: 'uuid' }),
    result: object.nullable().describe('What the seller answered; null where the seller delivers later'),
    charged_ut: z
      .string()
      .meta({ description: 'UT charged; "0" where the seller delivers later', examples: ['0.50', '0'] }),
    latency_ms: z.int().describe('From the start of the transaction to the outcome of the call'),
  })
  .meta({ id: 'InvokeResult' });
