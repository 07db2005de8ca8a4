import type { CallbackAnswer } from '../../domain/capability/callback.ts';
import { type GuardedClient, type GuardedClientOptions, openGuardedClient } from './guarded-client.ts';
import { judgeAnswer, refused, verdictOf } from './seller-answer.ts';
import { type SellerMessage, sellerHeaders } from './seller-request.ts';

/** One attempt to call a seller. */
export interface SellerCall extends SellerMessage {
  /** Epoch milliseconds: no answer is waited for longer. */
  readonly expiresAtMs: number;
  /** Ends the call: its promise rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

export interface SellerClient {
  /** Never rejects for anything a seller does. */
  call(call: SellerCall): Promise<CallbackAnswer>;
  /** Closes all connections; what is under way fails. */
  close(): Promise<void>;
}

/** Calls sellers over a guarded client of its own. */
export function openSellerClient(options: GuardedClientOptions): SellerClient {
  const client = openGuardedClient(options);
  return { call: (call) => attempt(client, call), close: () => client.close() };
}

async function attempt(client: GuardedClient, call: SellerCall): Promise<CallbackAnswer> {
  const { url, expiresAtMs, signal } = call;
  signal.throwIfAborted();
  if (call.secrets.length === 0) return { ...refused('no_secret'), http_status: null, latency_ms: 0 };
  const message = () => {
    const body = JSON.stringify(call.body);
    return { headers: sellerHeaders(call, body, new Date()), body };
  };
  const exchange = await client.post({ url, message, expiresAtMs, signal }, judgeAnswer);
  const { judged, fault, http_status, latency_ms } = exchange;
  return { ...(fault === null ? judged : verdictOf(fault)), http_status, latency_ms };
}
