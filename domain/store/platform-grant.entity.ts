import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A user's permission for a platform to act in their name. */
export const PlatformGrant = defineEntity({
  name: 'PlatformGrant',
  tableName: 'platform_grant',
  properties: {
    platform_id: p.uuid().primary(),
    user_id: p.uuid().primary(),
    created_at: p.datetime(3),
    revoked_at: p.datetime(3).strictNullable(),
  },
});

export type PlatformGrantRow = InferEntity<typeof PlatformGrant>;
