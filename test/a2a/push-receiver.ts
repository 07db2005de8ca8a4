import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Data } from '../api/purchase.ts';

/** One notification as it came. */
export interface Notification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Data;
}

/** How a notification is answered; by default 200 at once. */
export type Answering = (seen: Notification, ordinal: number) => Promise<number> | number;

/** A client's own server, to which notifications are posted. */
export interface PushReceiver {
  /** An address at it; what comes to one path is seen apart from what comes to another. */
  url(path: string): string;
  /** What came to a path so far, in order. */
  seen(path: string): Notification[];
  answer(path: string, how: Answering): void;
  close(): Promise<void>;
}

export async function openPushReceiver(): Promise<PushReceiver> {
  const all: Notification[] = [];
  const answers = new Map<string, Answering>();
  const at = (path: string) => all.filter((one) => one.path === path);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '';
      const seen = { path, headers: request.headers, text, body: JSON.parse(text) as Data };
      all.push(seen);
      response.writeHead((await answers.get(path)?.(seen, at(path).length)) ?? 200).end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    seen: at,
    answer: (path, how) => answers.set(path, how),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
