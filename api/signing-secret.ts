import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { NewSigningSecret } from '../domain/store/signing-secret.store.ts';
import type { Context } from './deps.ts';

const secretBytes = 32;

/**
 * A new Standard Webhooks secret, `whsec_` and base64 of 32 random bytes, and the row that keeps it sealed for this
 * purpose of its owner.
 */
export function makeSigningSecret(
  ctx: Pick<Context, 'secrets' | 'now'>,
  ownerId: string,
  purpose: string,
): { readonly secret: string; readonly row: NewSigningSecret } {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  return { secret, row: { id: v7(), ownerId, sealed: ctx.secrets.encrypt(secret, purpose), at: ctx.now() } };
}

/**
 * A record with a secret under this name. The answer that is sent is read field by field by its schema; the one that is
 * stored for a replay is made by JSON.stringify, which takes `toJSON` and so never sees the secret.
 */
export function withSecretOnce<T extends object, K extends string>(
  record: T,
  name: K,
  secret: string | null,
): T & Readonly<Record<K, string | null>> {
  const answer = { ...record, [name]: secret } as T & Record<K, string | null>;
  return Object.assign(answer, { toJSON: () => ({ ...record, [name]: null }) });
}
