import { z } from 'zod';
import {
  batchMaxItems,
  callbackTimeoutSec,
  callbackUrlMaxLength,
  capabilityTypes,
  deliveryModes,
  descriptionMaxLength,
  titleMaxLength,
} from '../../domain/capability/capability.ts';
import { categoryCodes } from '../../domain/category/category.ts';
import { errorTable } from '../../domain/errors.ts';
import { capabilitySorts } from '../../domain/store/capability.store.ts';
import { pricingModels } from '../../domain/transaction/transaction.ts';
import { bodyKey, datetime, pagedOf, pageQuery, text, ut, utInput, uuid } from '../schemas.ts';

const title = text(titleMaxLength).meta({ examples: ['Company register lookup'] });
const description = text(descriptionMaxLength).meta({
  examples: ['Answers who owns a company, from public registers.'],
});
const category = z
  .enum(categoryCodes)
  .describe('Code from GET /api/v1/categories')
  .meta({ examples: ['data'] });
const capabilityType = z.enum(capabilityTypes);
const pricingModel = z.enum(pricingModels);
const deliveryMode = z.enum(deliveryModes);
const tag = text(50);
const tags = z
  .array(tag)
  .max(20)
  .transform((given) => [...new Set(given)])
  .meta({ examples: [['company', 'register']] });
const autoAccept = utInput.nullable().describe('Price from which on a purchase is accepted without the seller');
const callCount = z.int().min(1).max(2_147_483_647).nullable();
const dailyLimit = callCount.describe('Invocations a day, over all buyers');
const perMinute = callCount.describe('Invocations a minute, over all buyers');
const callbackUrl = text(callbackUrlMaxLength)
  .nullable()
  .describe('Public http(s) address that the platform calls; required for per_query and per_use')
  .meta({ examples: ['https://seller.example/callback'] });
const callbackTimeout = z.int().min(callbackTimeoutSec.min).max(callbackTimeoutSec.max);

const example = {
  title: 'Company register lookup',
  description: 'Answers who owns a company, from public registers.',
  category: 'data',
  capability_type: 'api',
  pricing_model: 'per_query',
  price_ut: '0.50',
  tags: ['company', 'register'],
  callback_url: 'https://seller.example/callback',
};

const createFields = {
  title,
  description,
  category,
  capability_type: capabilityType,
  pricing_model: pricingModel,
  price_ut: utInput.default('0.00').describe('Unit price'),
  tags: tags.default([]),
  delivery_mode: deliveryMode.default('instant'),
  auto_accept_min_ut: autoAccept.default(null),
  daily_limit: dailyLimit.default(null),
  rate_limit_per_min: perMinute.default(null),
  callback_url: callbackUrl.default(null),
  callback_timeout_sec: callbackTimeout.default(callbackTimeoutSec.default),
};

export const createCapabilityBody = z
  .strictObject({ ...createFields, idempotency_key: bodyKey.optional() })
  .meta({ id: 'CreateCapabilityRequest', examples: [example] });

export const updateCapabilityBody = z
  .strictObject({
    title: title.optional(),
    description: description.optional(),
    category: category.optional(),
    capability_type: capabilityType.optional(),
    pricing_model: pricingModel.optional(),
    price_ut: utInput.optional(),
    tags: tags.optional(),
    delivery_mode: deliveryMode.optional(),
    auto_accept_min_ut: autoAccept.optional(),
    daily_limit: dailyLimit.optional(),
    rate_limit_per_min: perMinute.optional(),
    callback_url: callbackUrl.optional(),
    callback_timeout_sec: callbackTimeout.optional(),
    available: z.boolean().optional().describe('false: kept, shown, and not for sale'),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'UpdateCapabilityRequest', examples: [{ price_ut: '0.60', available: true }] });

/** An item is left unread here: one that is wrong must not fail the others. */
export const batchItem = z.strictObject(createFields).meta({ id: 'CapabilityBatchItem', examples: [example] });
const unreadItem = z.unknown().meta({ $ref: '#/components/schemas/CapabilityBatchItemInput' });

export const batchCapabilityBody = z
  .strictObject({ items: z.array(unreadItem).min(1).max(batchMaxItems), idempotency_key: bodyKey.optional() })
  .meta({ id: 'BatchCapabilityRequest', examples: [{ items: [example] }] });

export const capability = z
  .object({
    id: uuidOut('Referred to elsewhere as capability_id'),
    agent_id: uuidOut('The registrant, from the credentials'),
    title: z.string(),
    description: z.string(),
    category: z.string(),
    tags: z.array(z.string()),
    capability_type: capabilityType,
    delivery_mode: deliveryMode,
    pricing_model: pricingModel,
    price_ut: ut,
    auto_accept_min_ut: ut.nullable(),
    daily_limit: z.int().nullable(),
    rate_limit_per_min: z.int().nullable(),
    callback_url: z.string().nullable().describe('Shown to the owner only; null for everyone else'),
    callback_timeout_sec: z.int(),
    quality_score: z.string().meta({ description: '0.00 to 5.00, from ratings', examples: ['0.00'] }),
    total_sold: z.int().describe('Transactions settled so far'),
    available: z.boolean(),
    created_at: datetime,
    updated_at: datetime,
  })
  .meta({ id: 'Capability' });

export const callbackSecret = z
  .string()
  .nullable()
  .meta({
    description:
      'Standard Webhooks secret that signs the calls. Shown once, in the answer to the request that made it; null where ' +
      'none was made and in the replay of an answer. One that was lost is replaced by ' +
      'POST /api/v1/capabilities/{cap_id}/rotate-secret',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  });

/** What a write answers: the record, and the secret where the write made one. */
export const writtenCapability = capability
  .extend({ callback_secret: callbackSecret })
  .meta({ id: 'WrittenCapability' });

export const capabilityPage = pagedOf(capability).meta({ id: 'CapabilityPage' });
export const capabilityDeleted = z.object({ id: uuidOut('What was deleted'), deleted: z.literal(true) });

export const batchCapabilityResult = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(
      z.object({
        index: z.int().describe('Position in the request, from 0'),
        success: z.boolean(),
        data: writtenCapability.optional(),
        error: z
          .object({ code: z.int(), message: z.string(), data: z.record(z.string(), z.unknown()).nullable() })
          .optional()
          .meta({ examples: [{ code: 4000, message: errorTable.validation_failed.text, data: { errors: [] } }] }),
      }),
    ),
  })
  .meta({ id: 'BatchCapabilityResult' });

export const capabilityParams = z.object({ cap_id: uuid });

export const capabilityQuery = z.strictObject({
  category: category.optional(),
  q: text(200)
    .optional()
    .meta({ description: 'Words of title and description', examples: ['company register'] }),
  capability_type: capabilityType.optional().meta({ examples: ['api'] }),
  pricing_model: pricingModel.optional().meta({ examples: ['per_query'] }),
  delivery_mode: deliveryMode.optional().meta({ examples: ['instant'] }),
  tag: tag.optional().meta({ description: 'One tag, exactly', examples: ['company'] }),
  min_price_ut: utInput.optional().meta({ description: 'Unit price at least', examples: ['0.10'] }),
  max_price_ut: utInput.optional().meta({ description: 'Unit price at most', examples: ['5.00'] }),
  agent_id: uuid.optional().meta({ description: 'Registrant', examples: ['01936f3e-7c1a-7000-8000-000000000001'] }),
  available: z
    .enum(['true', 'false'])
    .transform((flag) => flag === 'true')
    .optional()
    .meta({ examples: ['true'] }),
  sort: z
    .enum(capabilitySorts)
    .default('newest')
    .meta({ description: 'Order of the list', examples: ['price_asc'] }),
  ...pageQuery,
});

function uuidOut(meaning: string) {
  return z.string().meta({ format: 'uuid', description: meaning });
}
