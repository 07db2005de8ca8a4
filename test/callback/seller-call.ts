import type { SellerCall } from '../../activities/callback/seller-client.ts';

export const secret = `whsec_${Buffer.from('the secret of one seller').toString('base64')}`;

/** A call of this address that has five seconds. */
export function sellerCall(url: string, changes: Partial<SellerCall> = {}): SellerCall {
  const expiresAtMs = changes.expiresAtMs ?? Date.now() + 5_000;
  return {
    url,
    secrets: [secret],
    messageId: '0199-message',
    requestId: 'request-1',
    body: {
      transaction_id: '0199-message',
      capability_id: 'capability-1',
      buyer_user_id: 'buyer-1',
      input: { text: 'grüße ✓ 𝄞' },
      attempt: 1,
      expires_at: new Date(expiresAtMs).toISOString(),
    },
    signal: new AbortController().signal,
    ...changes,
    expiresAtMs,
  };
}
