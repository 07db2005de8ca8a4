import { z } from 'zod';
import { bodyKey, datetime, pagedOf, pageQuery, text, uuid } from '../schemas.ts';

/** The names of the platforms that the service makes for devices are kept free. */
const partnerName = text(100).refine((name) => !name.startsWith('device:'), 'must not start with device:');

export const createPlatformBody = z
  .strictObject({ name: partnerName, idempotency_key: bodyKey.optional() })
  .meta({ id: 'CreatePlatformRequest', examples: [{ name: 'OpenClaw' }] });

export const createGrantBody = z
  .strictObject({ user_id: uuid, idempotency_key: bodyKey.optional() })
  .meta({ id: 'CreateGrantRequest' });

export const platformsQuery = z.strictObject({ name: text(100).optional(), ...pageQuery });

export const platformParams = z.object({ platform_id: uuid });
export const grantParams = z.object({ platform_id: uuid, user_id: uuid });

export const platform = z.object({ id: z.uuid(), name: z.string(), created_at: datetime }).meta({ id: 'Platform' });
export const platformPage = pagedOf(platform).meta({ id: 'PlatformPage' });

export const platformGrant = z
  .object({ platform_id: z.uuid(), user_id: z.uuid(), created_at: datetime })
  .meta({ id: 'GrantOfUser' });
export const deleted = z.object({ id: z.uuid(), deleted: z.literal(true) });
