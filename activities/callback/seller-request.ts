import { Webhook } from 'standardwebhooks';
import type { CallbackBody } from '../../domain/capability/callback.ts';

/** What is sent to a seller, and where. */
export interface SellerMessage {
  readonly url: string;
  /** `whsec_…`, newest first; all of them sign. */
  readonly secrets: readonly string[];
  /** The same for every attempt, so that the seller can tell a repetition. */
  readonly messageId: string;
  readonly requestId: string;
  readonly body: CallbackBody;
}

export interface SignedRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request of a message, signed after Standard Webhooks: what is signed is what is sent, byte for byte. */
export function signedRequest({ url, secrets, messageId, requestId, body }: SellerMessage, now: Date): SignedRequest {
  const { origin, pathname, search } = new URL(url);
  const payload = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    // What is packed would have to be unpacked within the limit of size.
    'accept-encoding': 'identity',
    'user-agent': 'Marketplace/1',
    'x-request-id': requestId,
    'idempotency-key': messageId,
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, now, payload)).join(' '),
  };
  return { origin, path: pathname + search, method: 'POST', headers, body: Buffer.from(payload) };
}
