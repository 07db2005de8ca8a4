import { z } from 'zod';
import { operationClasses } from '../../domain/caller.ts';
import { normalizeRange } from '../../domain/identity/address-range.ts';
import { bodyKey, datetime, pagedOf, pageQuery, text, ut, utInput, uuid } from '../schemas.ts';

const maxRanges = 20;
const longestOverlapSec = 30 * 24 * 3_600;
const defaultOverlapSec = 24 * 3_600;

const operations = z
  .array(z.enum(operationClasses))
  .min(1)
  .transform((given) => operationClasses.filter((one) => given.includes(one)))
  .meta({
    description: 'What the key may do. Reading never moves money; buying spends it; selling offers and delivers',
    examples: [['read', 'buy']],
  });

const addressRange = z.string().transform((given, context) => {
  const range = normalizeRange(given);
  if (range !== null) return range;
  context.addIssue({
    code: 'custom',
    message: 'must be an IP address or a network like 192.0.2.0/24 or 2001:db8::/32',
  });
  return z.NEVER;
});
const addresses = z
  .array(addressRange)
  .min(1)
  .max(maxRanges)
  .transform((given) => [...new Set(given)])
  .meta({
    description: `Addresses and networks that the key may be used from, at most ${maxRanges}; null for any`,
    examples: [['192.0.2.7', '2001:db8::/32']],
  });

const dailySpendLimit = utInput.meta({
  description:
    'UT that the key may freeze a day (UTC), together with keys that it was rotated from; null for no limit. What is ' +
    'refused counts not; what was frozen and given back later does',
  examples: ['100.00'],
});
const expiresAt = z.iso.datetime({ offset: true });

export const createKeyBody = z
  .strictObject({
    name: text(100),
    operations: operations.default([...operationClasses]),
    addresses: addresses.nullable().default(null),
    daily_spend_limit_ut: dailySpendLimit.nullable().default(null),
    expires_at: expiresAt.nullable().default(null).meta({ description: 'The key never expires when absent' }),
    idempotency_key: bodyKey.optional(),
  })
  .meta({
    id: 'CreateApiKeyRequest',
    examples: [{ name: 'production', operations: ['read', 'buy'], daily_spend_limit_ut: '100.00' }],
  });

export const updateKeyBody = z
  .strictObject({
    name: text(100).optional(),
    operations: operations.optional(),
    addresses: addresses.nullable().optional(),
    daily_spend_limit_ut: dailySpendLimit.nullable().optional(),
    expires_at: expiresAt.nullable().optional(),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'UpdateApiKeyRequest', examples: [{ addresses: ['192.0.2.0/24'], daily_spend_limit_ut: null }] });

export const rotateKeyBody = z
  .strictObject({
    overlap_sec: z
      .int()
      .min(0)
      .max(longestOverlapSec)
      .default(defaultOverlapSec)
      .meta({ description: 'How long the replaced key goes on working; 0 ends it at once' }),
    idempotency_key: bodyKey.optional(),
  })
  .nullish()
  .transform((given) => given ?? { overlap_sec: defaultOverlapSec })
  .meta({ id: 'RotateApiKeyRequest', examples: [{ overlap_sec: 3_600 }] });

export const keysQuery = z.strictObject({ revoked: z.enum(['true', 'false']).optional(), ...pageQuery });
export const keyParams = z.object({ key_id: uuid });

const keyFields = {
  id: z.uuid(),
  platform_id: z.uuid(),
  user_id: z.uuid().nullable().describe('The one user that the key acts for; null where users grant its platform'),
  name: z.string(),
  prefix: z.string(),
  operations: z.array(z.enum(operationClasses)),
  addresses: z.array(z.string()).nullable(),
  daily_spend_limit_ut: ut.nullable(),
  rotated_from: z.uuid().nullable().describe('The key that this one replaced'),
  created_at: datetime,
  expires_at: datetime.nullable(),
};
export const newKey = z
  .object({ ...keyFields, api_key: z.string().optional().describe('Shown once; absent where the answer is a replay') })
  .meta({ id: 'NewApiKey' });
export const listedKey = z
  .object({
    ...keyFields,
    revoked_at: datetime.nullable(),
    last_used_at: datetime.nullable().describe('Exact to about a minute'),
  })
  .meta({ id: 'ApiKey' });
export const keyPage = pagedOf(listedKey).meta({ id: 'ApiKeyPage' });
