import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** What a receiver answers. */
export type Answer =
  number | 'hang up' | 'never' | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** Somebody's own server, which webhooks point to. */
export interface Receiver {
  /** An address of it; each path has its own log. */
  urlOf(path: string): string;
  /** What came to a path, in order. */
  received(path: string): readonly Received[];
  /** How the requests to a path are answered from now on; 204 where nothing was said. `ordinal` counts from 1. */
  answer(path: string, answer: Answer | ((ordinal: number) => Answer | Promise<Answer>)): void;
  /** Resolves with what came to a path once so many have come. */
  until(path: string, count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** Opens a receiver on this machine. */
export async function openReceiver(): Promise<Receiver> {
  const logs = new Map<string, Received[]>();
  const answers = new Map<string, (ordinal: number) => Answer | Promise<Answer>>();
  const waiting = new Set<() => void>();
  const logOf = (path: string) => {
    const log = logs.get(path) ?? [];
    logs.set(path, log);
    return log;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const atMs = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const log = logOf(path);
    log.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), atMs });
    const answer = answers.get(path)?.(log.length) ?? 204;
    for (const look of waiting) look();
    reply(response, await answer);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    received: logOf,
    answer: (path, answer) => void answers.set(path, typeof answer === 'function' ? answer : () => answer),
    until: async (path, count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (logOf(path).length >= count) resolve();
      };
      waiting.add(look);
      look();
      await promise;
      waiting.delete(look);
      return logOf(path);
    },
    close: async () => {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === 'never') return;
  if (answer === 'hang up') {
    response.destroy();
    return;
  }
  const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
  response.writeHead(status, headers).end();
}
