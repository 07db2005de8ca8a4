import { z } from 'zod';
import { bodyKey, datetime, pagedOf, pageQuery, text, uuid } from '../schemas.ts';

export const createPlatformBody = z
  .strictObject({ name: text(100), idempotency_key: bodyKey.optional() })
  .meta({ id: 'CreatePlatformRequest', examples: [{ name: 'OpenClaw' }] });

export const createKeyBody = z
  .strictObject({
    name: text(100),
    expires_at: z.iso.datetime({ offset: true }).optional().meta({ description: 'The key never expires when absent' }),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'CreateApiKeyRequest', examples: [{ name: 'production' }] });

export const createGrantBody = z
  .strictObject({ user_id: uuid, idempotency_key: bodyKey.optional() })
  .meta({ id: 'CreateGrantRequest' });

export const platformsQuery = z.strictObject({ name: text(100).optional(), ...pageQuery });
export const keysQuery = z.strictObject({ revoked: z.enum(['true', 'false']).optional(), ...pageQuery });

export const platformParams = z.object({ platform_id: uuid });
export const keyParams = z.object({ key_id: uuid });
export const grantParams = z.object({ platform_id: uuid, user_id: uuid });

export const platform = z.object({ id: z.uuid(), name: z.string(), created_at: datetime }).meta({ id: 'Platform' });
export const platformPage = pagedOf(platform).meta({ id: 'PlatformPage' });

const keyFields = {
  id: z.uuid(),
  platform_id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  created_at: datetime,
  expires_at: datetime.nullable(),
};
export const newKey = z
  .object({ ...keyFields, api_key: z.string().optional().describe('Shown once; absent where the answer is a replay') })
  .meta({ id: 'NewApiKey' });
export const keyPage = pagedOf(z.object({ ...keyFields, revoked_at: datetime.nullable() }).meta({ id: 'ApiKey' })).meta(
  {
    id: 'ApiKeyPage',
  },
);

export const platformGrant = z
  .object({ platform_id: z.uuid(), user_id: z.uuid(), created_at: datetime })
  .meta({ id: 'GrantOfUser' });
export const deleted = z.object({ id: z.uuid(), deleted: z.literal(true) });
