import type { CallbackBody } from '../../domain/capability/callback.ts';
import { postHeaders, signatureHeaders } from './signature.ts';

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

/** The headers of a message that is sent as `payload`. */
export function sellerHeaders(
  { secrets, messageId, requestId }: SellerMessage,
  payload: string,
  now: Date,
): Record<string, string> {
  return {
    ...postHeaders,
    'x-request-id': requestId,
    'idempotency-key': messageId,
    ...signatureHeaders(messageId, secrets, payload, now),
  };
}
