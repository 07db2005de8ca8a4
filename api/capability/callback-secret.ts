import {
  callbackSecretPurpose,
  insertCallbackSecret,
  type NewCallbackSecret,
} from '../../domain/store/callback-secret.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import type { Context } from '../deps.ts';
import { makeSigningSecret, withSecretOnce } from '../signing-secret.ts';

/** A record with the secret that was made for it; null where none was. */
export type WithSecret<T> = T & { readonly callback_secret: string | null };

/** A new secret of a capability, and the row that keeps it sealed. */
export function makeCallbackSecret(
  ctx: Pick<Context, 'secrets' | 'now'>,
  capabilityId: string,
): { readonly secret: string; readonly row: NewCallbackSecret } {
  return makeSigningSecret(ctx, capabilityId, callbackSecretPurpose(capabilityId));
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

/** As `withSecretOnce`. */
export function shownOnce<T extends object>(record: T, callbackSecret: string | null): WithSecret<T> {
  return withSecretOnce(record, 'callback_secret', callbackSecret);
}
