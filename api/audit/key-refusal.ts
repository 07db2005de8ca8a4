import type { FastifyRequest } from 'fastify';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { ApiKeyVerdict } from '../../domain/identity/api-key.ts';
import { insertKeyRefusal } from '../../domain/store/audit-entry.store.ts';
import { storableAddress } from '../address.ts';

interface RefusedKey {
  readonly apiKeyId: string;
  readonly verdict: Exclude<ApiKeyVerdict, 'usable'>;
  readonly at: Date;
}

/**
 * Notes that a key was shown which exists and opens nothing: revoked, expired, from a foreign address, or for a user who
 * has not granted it. Never throws: the refusal is the answer, whether it can be noted or not.
 */
export async function auditRefusedKey(
  orm: MikroORM,
  request: FastifyRequest,
  { apiKeyId, verdict, at }: RefusedKey,
): Promise<void> {
  const entry = {
    at,
    action: 'api_key.refused',
    // The key proves its platform; whom it was used for is only said.
    actorUserId: null,
    credential: 'api_key',
    apiKeyId,
    address: storableAddress(request.ip),
    requestId: request.id,
    target: { type: 'api_key', id: apiKeyId },
    data: { reason: verdict },
  } as const;
  await insertKeyRefusal(orm.em.fork(), entry).catch((error: unknown) => {
    request.log.warn({ err: error, api_key_id: apiKeyId }, 'refusal of a key not noted');
  });
}
