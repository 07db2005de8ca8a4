import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A call as the platform would make it. */
export interface SignedCall {
  readonly transactionId: string;
  readonly capabilityId: string;
  readonly secret: string;
  readonly attempt?: number;
  readonly input?: unknown;
  readonly signal?: AbortSignal;
}

export interface Heard {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

/** A secret that nobody has seen before. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Opens a call; its body is not read yet. */
export async function openCall(url: string, call: SignedCall): Promise<Response> {
  const { transactionId, capabilityId, secret, attempt = 1, input = {}, signal } = call;
  const body = JSON.stringify({ transaction_id: transactionId, capability_id: capabilityId, attempt, input });
  const id = `msg_${randomUUID()}`;
  const at = new Date();
  return await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': transactionId,
      'x-request-id': `request-of-${transactionId}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Calls and reads the answer to its end. */
export async function makeCall(url: string, call: SignedCall): Promise<Heard> {
  const response = await openCall(url, call);
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}
