import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { OperationClass } from '../caller.ts';

/** A platform's key. Only its SHA-256 is kept: it is 256-bit random, so there is nothing to guess. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    platform_id: p.uuid(),
    /** The one user that a key approved on a device acts for; null where any user may grant its platform. */
    user_id: p.uuid().strictNullable(),
    name: p.text(),
    prefix: p.text(),
    key_hash: p.blob().hidden(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3).strictNullable(),
    revoked_at: p.datetime(3).strictNullable(),
    operations: p.array().$type<OperationClass[]>(),
    /** Addresses and networks that it may be used from; null for any. */
    addresses: p.array().$type<string[]>().strictNullable(),
    daily_spend_limit_ut: p.decimal('string').precision(20).scale(6).strictNullable(),
    rotated_from: p.uuid().strictNullable(),
    /** The first key of a row of rotations; one without a predecessor is its own. */
    family_id: p.uuid(),
    last_used_at: p.datetime(3).strictNullable(),
  },
});

export type ApiKeyRow = InferEntity<typeof ApiKey>;
