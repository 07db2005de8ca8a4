import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** The secrets that the seller was told. A capability may have several, as while one is being replaced. */
export class SecretStore {
  readonly #byCapability = new Map<string, Map<string, Webhook>>();

  /** Trusts one secret more. Throws on what is no secret. */
  trust(capabilityId: string, secret: string): void {
    const webhook = new Webhook(secret);
    const known = this.#byCapability.get(capabilityId) ?? new Map<string, Webhook>();
    this.#byCapability.set(capabilityId, known.set(secret, webhook));
  }

  /** True if any secret of the capability has signed exactly this body, not long ago. */
  verifies(capabilityId: string, body: string, headers: IncomingHttpHeaders): boolean {
    const signed = Object.fromEntries(headerNames.map((name) => [name, String(headers[name] ?? '')]));
    const webhooks = this.#byCapability.get(capabilityId)?.values() ?? [];
    return [...webhooks].some((webhook) => isSigned(webhook, body, signed));
  }
}

function isSigned(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    // The library has no other way to say no.
    return false;
  }
}
