import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import {
  callbackSecretPurpose,
  insertCallbackSecret,
  type NewCallbackSecret,
} from '../../domain/store/callback-secret.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import type { Context } from '../deps.ts';

const secretBytes = 32;

/** A record with the secret that was made for it; null where none was. */
export type WithSecret<T> = T & { readonly callback_secret: string | null };

/** A new Standard Webhooks secret, `whsec_` and base64 of 32 random bytes, and the row that keeps it sealed. */
export function makeCallbackSecret(
  ctx: Pick<Context, 'secrets' | 'now'>,
  capabilityId: string,
): { readonly secret: string; readonly row: NewCallbackSecret } {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const sealed = ctx.secrets.encrypt(secret, callbackSecretPurpose(capabilityId));
  return { secret, row: { id: v7(), capabilityId, sealed, at: ctx.now() } };
}

/**
 * Gives a capability with a callback_url its first secret. Answers it; null where there is no address to call, or a
 * secret is current already. `em` may be inside a savepoint of the request's SQL transaction.
 */
export async function giveFirstSecret(
  ctx: Pick<Context, 'secrets' | 'now'>,
  em: Em,
  capabilityId: string,
  callbackUrl: string | null,
): Promise<string | null> {
  if (callbackUrl === null) return null;
  const { secret, row } = makeCallbackSecret(ctx, capabilityId);
  return (await insertCallbackSecret(em, row)) ? secret : null;
}

/**
 * The answer that is sent is read field by field by its schema; the one that is stored for a replay is made by
 * JSON.stringify, which takes `toJSON` and so never sees the secret.
 */
export function shownOnce<T extends object>(record: T, callbackSecret: string | null): WithSecret<T> {
  const answer = { ...record, callback_secret: callbackSecret };
  return Object.assign(answer, { toJSON: () => ({ ...record, callback_secret: null }) });
}
