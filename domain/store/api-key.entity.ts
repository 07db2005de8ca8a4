import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A platform's key. Only its SHA-256 is kept: it is 256-bit random, so there is nothing to guess. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    platform_id: p.uuid(),
    name: p.text(),
    prefix: p.text(),
    key_hash: p.blob().hidden(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3).strictNullable(),
    revoked_at: p.datetime(3).strictNullable(),
  },
});

export type ApiKeyRow = InferEntity<typeof ApiKey>;
