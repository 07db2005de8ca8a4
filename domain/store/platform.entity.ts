import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An application that acts for users by API keys. */
export const Platform = defineEntity({
  name: 'Platform',
  tableName: 'platform',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    created_at: p.datetime(3),
  },
});

export type PlatformRow = InferEntity<typeof Platform>;
