import type { Em } from './orm.ts';
import {
  insertSigningSecret,
  rotateSigningSecret,
  signingSecretsOf,
  type NewSigningSecret,
} from './signing-secret.store.ts';

/** Sealed for `callbackSecretPurpose(ownerId)`; the owner is a capability. */
export type NewCallbackSecret = NewSigningSecret;

const place = { table: 'callback_secret', owner: 'capability_id' } as const;

/** What a signing secret is sealed for: the sealed bytes of one capability open for no other. */
export function callbackSecretPurpose(capabilityId: string): string {
  return `callback-secret/${capabilityId}`;
}

/** Writes the first secret of a capability. False where one is current: it stays, and nothing is written. */
export async function insertCallbackSecret(em: Em, secret: NewCallbackSecret): Promise<boolean> {
  return await insertSigningSecret(em, place, secret);
}

/**
 * As `rotateSigningSecret`: answers when the replaced secret ends. The caller holds the lock of the capability's row, so
 * that rotations come one after the other.
 */
export async function rotateCallbackSecret(
  em: Em,
  secret: NewCallbackSecret,
  overlapMs: number | null,
): Promise<Date | null> {
  return await rotateSigningSecret(em, place, secret, overlapMs);
}

/** As `signingSecretsOf`: SQL with one parameter, the moment. */
export function signingSecretsSql(capabilityId: string): string {
  return signingSecretsOf(place, capabilityId);
}

/** The sealed secrets that sign at this moment, newest first. One query. */
export async function activeCallbackSecrets(em: Em, capabilityId: string, at: Date): Promise<Buffer[]> {
  const sql = `select ${signingSecretsSql('c.id')} as sealed from capability c where c.id = ?`;
  const [row] = await em.execute<{ readonly sealed: readonly string[] }[]>(sql, [at, capabilityId]);
  return (row?.sealed ?? []).map((one) => Buffer.from(one, 'base64'));
}
