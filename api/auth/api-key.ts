import { v7 } from 'uuid';
import { apiKeyPrefix, formatApiKey } from '../../domain/identity/api-key.ts';
import { ApiKey, type ApiKeyRow } from '../../domain/store/api-key.entity.ts';
import type { Em } from '../../domain/store/orm.ts';
import { hashSecret, randomSecret } from './random-token.ts';

interface NewApiKey {
  readonly platformId: string;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly at: Date;
}

/** Makes a key for a platform. `apiKey` exists in this answer only: the row holds its hash. */
export function makeApiKey(em: Em, { platformId, name, expiresAt, at }: NewApiKey): { row: ApiKeyRow; apiKey: string } {
  const apiKey = formatApiKey(randomSecret());
  const row = em.create(ApiKey, {
    id: v7(),
    platform_id: platformId,
    name,
    prefix: apiKeyPrefix(apiKey),
    key_hash: hashSecret(apiKey),
    created_at: at,
    expires_at: expiresAt,
    revoked_at: null,
  });
  em.persist(row);
  return { row, apiKey };
}
