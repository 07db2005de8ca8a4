import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** One link of a chain of refresh tokens; the first of a family has the family's id. */
export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  properties: {
    id: p.uuid().primary(),
    family_id: p.uuid(),
    user_id: p.uuid(),
    token_hash: p.blob().hidden(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
    used_at: p.datetime(3).strictNullable(),
    revoked_at: p.datetime(3).strictNullable(),
  },
});

export type RefreshTokenRow = InferEntity<typeof RefreshToken>;
