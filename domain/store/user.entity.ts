import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Role } from '../caller.ts';

/** A person's account. Made by `createUser` only, which opens the ledger accounts with it. */
export const User = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: p.uuid().primary(),
    email: p.text().strictNullable(),
    password_hash: p.text().strictNullable().hidden(),
    display_name: p.text(),
    roles: p.array().$type<Role[]>(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
});

export type UserRow = InferEntity<typeof User>;
