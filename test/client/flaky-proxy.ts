import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request: answered by the service, answered but cut off on the way back, or answered by this. */
export type Fate =
  | 'pass'
  | 'lose'
  | 'cut'
  | 'hang'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string };

/** A request that came by. */
export interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
}

/** A real HTTP connection between a client and the service, which breaks as a test says. */
export interface FlakyProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** How many requests have neither been answered to the end nor given up. */
  readonly open: () => number;
  /** The fates of the next requests, in order; what comes after them passes. */
  next(...fates: Fate[]): void;
  /** Breaks every connection that is open now. */
  breakAll(): void;
  close(): Promise<void>;
}

/** Starts one before a service; `target` is asked with each request. */
export async function startFlakyProxy(target: () => string): Promise<FlakyProxy> {
  const seen: Seen[] = [];
  const fates: Fate[] = [];
  let open = 0;
  const server: Server = createServer((incoming, outgoing) => {
    open += 1;
    outgoing.on('close', () => (open -= 1));
    seen.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers });
    void meet(fates.shift() ?? 'pass', target(), incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    open: () => open,
    next: (...more) => void fates.push(...more),
    breakAll: () => server.closeAllConnections(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `lose`: the service never hears of it. `cut`: it has answered, and nobody hears that. `hang`: nothing ever comes. */
async function meet(fate: Fate, target: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (fate === 'hang') return;
  if (fate === 'lose') return void incoming.destroy();
  if (typeof fate === 'object') return void outgoing.writeHead(fate.status, fate.headers ?? {}).end(fate.body);
  const { method, url, headers } = incoming;
  const forwarded = request(target + (url ?? ''), { method, headers: { ...headers, host: new URL(target).host } });
  forwarded.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forwarded.destroy());
  forwarded.on('response', (answer) => {
    if (fate === 'cut') {
      answer.resume().on('end', () => outgoing.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  incoming.pipe(forwarded);
}
