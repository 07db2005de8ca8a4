import { z } from 'zod';
import { auditActions, auditCredentials } from '../../domain/audit/audit-entry.ts';
import { datetime, pagedOf, pageQuery, uuid } from '../schemas.ts';

/** A UUID, or the hash of what has none. */
const targetId = z.string().regex(/^[0-9a-f-]{1,100}$/, 'must be an id');
const instant = z.iso.datetime({ offset: true });

export const auditQuery = z.strictObject({
  action: z.enum(auditActions).optional(),
  actor_user_id: uuid.optional(),
  target_id: targetId.optional(),
  api_key_id: uuid.optional(),
  request_id: uuid.optional(),
  from: instant.optional().meta({ description: 'At this time or later' }),
  to: instant.optional().meta({ description: 'Before this time; keeps pages still while entries are added' }),
  ...pageQuery,
});

const auditEntry = z
  .object({
    seq: z.string(),
    at: datetime,
    action: z.string(),
    actor_user_id: z.uuid().nullable().describe('Who acted, or for whom a key did; null where nobody was known'),
    credential: z.enum(auditCredentials),
    api_key_id: z.uuid().nullable(),
    address: z.string().nullable(),
    request_id: z.string(),
    target_type: z.string().nullable(),
    target_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });

export const auditPage = pagedOf(auditEntry).meta({ id: 'AuditPage' });
