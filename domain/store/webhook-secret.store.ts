import type { Em } from './orm.ts';
import {
  insertSigningSecret,
  rotateSigningSecret,
  signingSecretsOf,
  type NewSigningSecret,
} from './signing-secret.store.ts';

const place = { table: 'webhook_secret', owner: 'webhook_id' } as const;

/** What a signing secret is sealed for: the sealed bytes of one webhook open for no other. */
export function webhookSecretPurpose(webhookId: string): string {
  return `webhook-secret/${webhookId}`;
}

/** Writes the first secret of a webhook, sealed for `webhookSecretPurpose`. */
export async function insertWebhookSecret(em: Em, secret: NewSigningSecret): Promise<boolean> {
  return await insertSigningSecret(em, place, secret);
}

/** As `rotateSigningSecret`. The caller holds the lock of the webhook's row. */
export async function rotateWebhookSecret(
  em: Em,
  secret: NewSigningSecret,
  overlapMs: number | null,
): Promise<Date | null> {
  return await rotateSigningSecret(em, place, secret, overlapMs);
}

/** As `signingSecretsOf`: SQL with one parameter, the moment. */
export function webhookSecretsSql(webhookId: string): string {
  return signingSecretsOf(place, webhookId);
}
