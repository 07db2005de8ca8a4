import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { refusedAddress } from '../../domain/capability/callback-address.ts';
import { type Connections, openConnections } from './connection.ts';
import { type Fault, faultOf } from './fault.ts';
import { guardedConnector } from './guarded-connector.ts';
import { hostCap, type HostCap } from './host-cap.ts';
import { openResolver } from './resolver.ts';
import { late, withinTime } from './time-limit.ts';

/** What is sent, byte for byte. */
export interface GuardedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request to an address that a stranger chose. */
export interface GuardedRequest {
  readonly url: string;
  /** Writes and signs what is sent, once a place at the host is held: for one that is busy it would be for nothing. */
  readonly message: () => GuardedMessage | Promise<GuardedMessage>;
  /** Epoch milliseconds: no answer is waited for longer. */
  readonly expiresAtMs: number;
  /** Ends the exchange: its promise rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** Judges an answer, and reads of its body what it needs. */
export type Judge<T> = (response: Dispatcher.ResponseData) => Promise<T>;

/** What came of it: what the judge says, or why there was nothing to judge. */
export type Exchange<T> = { readonly http_status: number | null; readonly latency_ms: number } & (
  { readonly judged: T; readonly fault: null } | { readonly judged: null; readonly fault: Fault }
);

export interface GuardedClientOptions {
  /** Also addresses that are not public, for development and tests. */
  readonly allowPrivate: boolean;
  /** `address` or `address:port`; empty: those of the operating system. */
  readonly dnsServers: readonly string[];
  /** Requests under way to one host. */
  readonly maxPerHost: number;
}

export interface GuardedClient {
  /** Never rejects for anything the other side does; for whatever `message` rejects with. */
  post<T>(request: GuardedRequest, judge: Judge<T>): Promise<Exchange<T>>;
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

/** Posts over connections that are kept and bounded in number. Follows no redirect and knows no cookies. */
export function openGuardedClient({ allowPrivate, dnsServers, maxPerHost }: GuardedClientOptions): GuardedClient {
  const connect = guardedConnector(openResolver(dnsServers), allowPrivate);
  const connections = openConnections({ connect, maxPerOrigin: maxPerHost, maxOrigins });
  const parts: Parts = { connections, cap: hostCap(maxPerHost), allowPrivate };
  return { post: (request, judge) => post(parts, request, judge), close: () => connections.close() };
}

async function post<T>({ connections, cap, allowPrivate }: Parts, request: GuardedRequest, judge: Judge<T>) {
  request.signal.throwIfAborted();
  let startedAt = performance.now();
  const ended = (ending: Ending<T>, http_status: number | null = null): Exchange<T> => {
    return { ...ending, http_status, latency_ms: Math.max(0, Math.round(performance.now() - startedAt)) };
  };
  if (refusedAddress(request.url, allowPrivate) !== null) return ended(faulty('address_refused'));
  if (Date.now() >= request.expiresAtMs) return ended(faulty('timed_out'));
  const leave = cap.enter(hostOf(request.url));
  if (leave === null) return ended(faulty('host_busy'));
  const seen: Seen = { response: null };
  try {
    const message = await request.message();
    startedAt = performance.now();
    const sent = { url: request.url, ...message };
    const ending = await withinTime(request, (signal) => exchange(connections, sent, signal, judge, seen));
    const said = ended(ending === late ? faulty('timed_out') : ending, seen.response?.statusCode);
    if (ending !== late) await dismiss(seen.response);
    return said;
  } finally {
    leave();
  }
}

type Ending<T> = { readonly judged: T; readonly fault: null } | { readonly judged: null; readonly fault: Fault };

function faulty(fault: Fault) {
  return { judged: null, fault } as const;
}

/** Known outside as soon as it comes, because the status is told also where the body never ends. */
interface Seen {
  response: Dispatcher.ResponseData | null;
}

async function exchange<T>(
  connections: Connections,
  { url, headers, body }: GuardedMessage & Pick<GuardedRequest, 'url'>,
  signal: AbortSignal,
  judge: Judge<T>,
  seen: Seen,
): Promise<Ending<T>> {
  const { origin, pathname, search } = new URL(url);
  const request = { origin, path: pathname + search, method: 'POST', headers, body: Buffer.from(body) } as const;
  try {
    seen.response = await connections.request({ ...request, signal });
    return { judged: await judge(seen.response), fault: null };
  } catch (error) {
    // Nobody listens any more, and the error only says so.
    return faulty(signal.aborted ? 'timed_out' : faultOf(error));
  }
}

/** Ends with the body read or its connection closed, and the connection free for the next request. */
async function dismiss(response: Dispatcher.ResponseData | null): Promise<void> {
  await response?.body.dump({ limit: rest.bytes, signal: AbortSignal.timeout(rest.ms) }).catch(() => null);
  // It is taken back only in the next turn of the loop; until then a request would open another.
  await nextTurn();
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
