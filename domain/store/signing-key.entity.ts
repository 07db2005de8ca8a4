import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A key pair that signs access tokens. The id is the `kid`; a retired key no longer verifies. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  properties: {
    id: p.text().primary(),
    public_jwk: p.json<Record<string, unknown>>(),
    private_jwk_encrypted: p.blob().hidden(),
    created_at: p.datetime(3),
    retired_at: p.datetime(3).strictNullable(),
  },
});

export type SigningKeyRow = InferEntity<typeof SigningKey>;
