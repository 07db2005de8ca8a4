import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { certificate, key } from './certificate.ts';

/** A server of a test, gone with it. */
export interface Listening {
  readonly port: number;
  /** Every connection that it ever saw. */
  readonly connections: readonly Socket[];
}

export function urlOf({ port }: Listening, protocol = 'http'): string {
  return `${protocol}://127.0.0.1:${port}/callback?x=1`;
}

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

/** Answers HTTP. */
export function listenHttp(listener: RequestListener, host = '127.0.0.1'): Promise<Listening> {
  return listen(createServer(listener), host);
}

/** Answers HTTPS as `seller.test`, with a certificate that only itself vouches for. */
export function listenHttps(listener: RequestListener): Promise<Listening> {
  return listen(createTlsServer({ key, cert: certificate }, listener), '127.0.0.1');
}

/** Does with each connection whatever `onConnection` says. */
export function listenRaw(onConnection: (socket: Socket) => void): Promise<Listening> {
  return listen(createSocketServer(onConnection), '127.0.0.1');
}

/** Says these bytes once a request has begun to come, and then whatever `then` does. */
export function listenSaying(
  text: string,
  then: (socket: Socket) => void = (socket) => socket.end(),
): Promise<Listening> {
  return listenRaw((socket) => {
    socket.once('data', () => socket.write(text, () => then(socket)));
  });
}

/** The end of a connection, in whatever way. */
export async function untilClosed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  if (!socket.closed) await promise;
}

async function listen(server: Server, host: string): Promise<Listening> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    // The other side may go away at any time here.
    socket.on('error', () => null);
  });
  server.listen(0, host);
  await once(server, 'listening');
  closings.push(async () => {
    for (const socket of connections) socket.destroy();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, connections };
}
