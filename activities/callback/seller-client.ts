import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { CallbackAnswer } from '../../domain/capability/callback.ts';
import { refusedAddress } from '../../domain/capability/callback-address.ts';
import { type Connections, openConnections } from './connection.ts';
import { guardedConnector } from './guarded-connector.ts';
import { hostCap, type HostCap } from './host-cap.ts';
import { openResolver } from './resolver.ts';
import { failed, judgeAnswer, judgeError, refused, timedOut, type Verdict } from './seller-answer.ts';
import { type SellerMessage, signedRequest } from './seller-request.ts';
import { late, withinTime } from './time-limit.ts';

/** One attempt to call a seller. */
export interface SellerCall extends SellerMessage {
  /** Epoch milliseconds: no answer is waited for longer. */
  readonly expiresAtMs: number;
  /** Ends the call: its promise rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

export interface SellerClientOptions {
  /** Also addresses that are not public, for development and tests. */
  readonly allowPrivate: boolean;
  /** `address` or `address:port`; empty: those of the operating system. */
  readonly dnsServers: readonly string[];
  /** Calls under way to one host. */
  readonly maxPerHost: number;
}

export interface SellerClient {
  /** Never rejects for anything a seller does. */
  call(call: SellerCall): Promise<CallbackAnswer>;
  /** Closes all connections; what is under way fails. */
  close(): Promise<void>;
}

/** One origin is a host with a port. */
const maxOrigins = 1_000;
/** A rest of an answer that is not needed is read, for the sake of the connection, when it is small and already there. */
const rest = { bytes: 16 * 1024, ms: 200 } as const;

interface Parts {
  readonly connections: Connections;
  readonly cap: HostCap;
  readonly allowPrivate: boolean;
}

/** Calls sellers over connections that are kept and bounded in number. Follows no redirect and knows no cookies. */
export function openSellerClient({ allowPrivate, dnsServers, maxPerHost }: SellerClientOptions): SellerClient {
  const connect = guardedConnector(openResolver(dnsServers), allowPrivate);
  const connections = openConnections({ connect, maxPerOrigin: maxPerHost, maxOrigins });
  const parts: Parts = { connections, cap: hostCap(maxPerHost), allowPrivate };
  return { call: (call) => attempt(parts, call), close: () => connections.close() };
}

async function attempt({ connections, cap, allowPrivate }: Parts, call: SellerCall): Promise<CallbackAnswer> {
  call.signal.throwIfAborted();
  const startedAt = performance.now();
  const answer = (verdict: Verdict, http_status: number | null = null): CallbackAnswer => {
    return { ...verdict, http_status, latency_ms: Math.max(0, Math.round(performance.now() - startedAt)) };
  };
  if (refusedAddress(call.url, allowPrivate) !== null) return answer(refused('address_refused'));
  if (call.secrets.length === 0) return answer(refused('no_secret'));
  if (Date.now() >= call.expiresAtMs) return answer(timedOut);
  const leave = cap.enter(hostOf(call.url));
  if (leave === null) return answer(failed('host_busy'));
  const seen: Seen = { response: null };
  try {
    const verdict = await withinTime(call, (signal) => exchange(connections, call, signal, seen));
    const said = answer(verdict === late ? timedOut : verdict, seen.response?.statusCode);
    if (verdict !== late) await dismiss(seen.response);
    return said;
  } finally {
    leave();
  }
}

/** Known outside as soon as it comes, because the status is told also where the body never ends. */
interface Seen {
  response: Dispatcher.ResponseData | null;
}

async function exchange(connections: Connections, call: SellerCall, signal: AbortSignal, seen: Seen): Promise<Verdict> {
  const request = signedRequest(call, new Date());
  try {
    seen.response = await connections.request({ ...request, signal });
    return await judgeAnswer(seen.response);
  } catch (error) {
    // Nobody listens any more, and the error only says so.
    if (signal.aborted) return timedOut;
    return judgeError(error);
  }
}

/** Ends with the body read or its connection closed, and the connection free for the next call. */
async function dismiss(response: Dispatcher.ResponseData | null): Promise<void> {
  await response?.body.dump({ limit: rest.bytes, signal: AbortSignal.timeout(rest.ms) }).catch(() => null);
  // It is taken back only in the next turn of the loop; until then a call would open another.
  await nextTurn();
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
