import { v7 } from 'uuid';
import { operationClasses } from '../../domain/caller.ts';
import { apiKeyPrefix, formatApiKey } from '../../domain/identity/api-key.ts';
import { ApiKey, type ApiKeyRow } from '../../domain/store/api-key.entity.ts';
import type { Em } from '../../domain/store/orm.ts';
import { hashSecret, randomSecret } from './random-token.ts';

interface NewApiKey {
  readonly platformId: string;
  /** The one user that it acts for; absent where it acts for every user who grants its platform. */
  readonly userId?: string;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly at: Date;
  /** Absent where it may do everything. */
  readonly limits?: KeyLimits;
  /** The key that it replaces. */
  readonly predecessor?: Pick<ApiKeyRow, 'id' | 'family_id'>;
}

/** What a key may do, from where, and for how much a day; null for no limit. */
export type KeyLimits = Pick<ApiKeyRow, 'operations' | 'addresses' | 'daily_spend_limit_ut'>;

const unlimited: KeyLimits = { operations: [...operationClasses], addresses: null, daily_spend_limit_ut: null };

/** Makes a key for a platform. `apiKey` exists in this answer only: the row holds its hash. */
export function makeApiKey(
  em: Em,
  { platformId, userId, name, expiresAt, at, limits = unlimited, predecessor }: NewApiKey,
): { row: ApiKeyRow; apiKey: string } {
  const apiKey = formatApiKey(randomSecret());
  const id = v7();
  const row = em.create(ApiKey, {
    id,
    platform_id: platformId,
    user_id: userId ?? null,
    name,
    prefix: apiKeyPrefix(apiKey),
    key_hash: hashSecret(apiKey),
    created_at: at,
    expires_at: expiresAt,
    revoked_at: null,
    operations: [...limits.operations],
    addresses: limits.addresses,
    daily_spend_limit_ut: limits.daily_spend_limit_ut,
    rotated_from: predecessor?.id ?? null,
    family_id: predecessor?.family_id ?? id,
    last_used_at: null,
  });
  em.persist(row);
  return { row, apiKey };
}
