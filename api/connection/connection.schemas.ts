import { z } from 'zod';
import { datetime, pagedOf, pageQuery, uuid } from '../schemas.ts';

/** More are not shown; a platform that makes new keys all the time does not make the answer grow. */
export const maxShownKeys = 20;

export const connectionParams = z.object({ platform_id: uuid });
export const connectionKeyParams = z.object({ platform_id: uuid, key_id: uuid });
export const connectionQuery = z.strictObject(pageQuery);

const boundKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string(),
    created_at: datetime,
    last_used_at: datetime.nullable().describe('Exact to about a minute'),
    expires_at: datetime.nullable(),
  })
  .meta({ id: 'ConnectionKey' });

export const connection = z
  .object({
    platform_id: z.uuid(),
    platform_name: z.string(),
    platform_kind: z
      .enum(['partner', 'device'])
      .describe('partner: a service whose own keys act for all its users; device: an agent that you approved'),
    created_at: datetime,
    keys: z.array(boundKey).max(maxShownKeys).describe('Keys that act for you only, newest first'),
  })
  .meta({ id: 'Connection' });
export const connectionPage = pagedOf(connection).meta({ id: 'ConnectionPage' });
export const disconnected = z.object({ id: z.uuid(), deleted: z.literal(true) });
