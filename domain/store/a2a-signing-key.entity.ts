import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** What a key of the platform signs for other agents. */
export type A2aSigningPurpose = 'agent-card' | 'push-notification';

/** A key pair that signs what is said to other agents, and never an access token. The id is the `kid`. */
export const A2aSigningKey = defineEntity({
  name: 'A2aSigningKey',
  tableName: 'a2a_signing_key',
  properties: {
    id: p.text().primary(),
    purpose: p.text().$type<A2aSigningPurpose>(),
    public_jwk: p.json<Record<string, unknown>>(),
    private_jwk_encrypted: p.blob().hidden(),
    created_at: p.datetime(3),
    retired_at: p.datetime(3).strictNullable(),
  },
});

export type A2aSigningKeyRow = InferEntity<typeof A2aSigningKey>;
