import { Webhook } from 'standardwebhooks';

/** What every request of ours to a stranger's address carries. */
export const postHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  // What is packed would have to be unpacked within the limit of size.
  'accept-encoding': 'identity',
  'user-agent': 'Marketplace/1',
} as const;

/**
 * The signature after Standard Webhooks, by each secret: what is signed is what is sent, byte for byte. `messageId` is the
 * same for every attempt.
 */
export function signatureHeaders(
  messageId: string,
  secrets: readonly string[],
  payload: string,
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, now, payload)).join(' '),
  };
}
