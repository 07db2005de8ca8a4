import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openSellerClient, type SellerCall } from '../../activities/callback/seller-client.ts';
import { type Listening, listenHttp, listenRaw, listenSaying, untilClosed, urlOf } from './listening.ts';
import { expectFree } from './place.ts';
import { sellerCall } from './seller-call.ts';

const cap = 10;
const client = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: cap });
afterAll(() => client.close());

const callTo = (server: Listening, changes: Partial<SellerCall> = {}) =>
  client.call(sellerCall(urlOf(server), changes));
const soon = () => ({ expiresAtMs: Date.now() + 150 });
const ok = 'HTTP/1.1 200 OK\r\n';

/** Sends a byte again and again, for as long as somebody takes it. */
function trickle(byte: string): (socket: Socket) => void {
  return (socket) => {
    // Slow on purpose: each byte begins the waiting of a client anew that counts from the last one.
    const timer = setInterval(() => socket.write(byte), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

describe('the time of a call', () => {
  test('that is over already is not begun', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    const answer = await callTo(server, { expiresAtMs: Date.now() - 1 });
    expect(answer).toMatchObject({ outcome: 'timed_out', reason: null, http_status: null, result: null });
    expect(server.connections).toEqual([]);
  });

  test.each<[string, number | null, () => Promise<Listening>]>([
    ['nothing', null, () => listenRaw((socket) => socket.resume())],
    ['half a status', null, () => listenSaying('HTTP/1.1 20', () => null)],
    ['endless headers', null, () => listenSaying(`${ok}a: `, trickle('x'))],
    ['one early hint after the other', null, () => listenSaying('', trickle('HTTP/1.1 103 Early Hints\r\n\r\n'))],
    ['a status', 200, () => listenSaying(`${ok}content-length: 9\r\n\r\n`, () => null)],
    ['an endless body', 200, () => listenSaying(`${ok}content-length: 9999\r\n\r\n`, trickle(' '))],
    [
      'an endless body in chunks',
      200,
      () => listenSaying(`${ok}transfer-encoding: chunked\r\n\r\n`, trickle('1\r\n \r\n')),
    ],
  ])('ends with its connection, where the seller says %s', async (_, http_status, listen) => {
    const server = await listen();
    const answer = await callTo(server, soon());
    expect(answer).toMatchObject({ outcome: 'timed_out', reason: null, http_status, result: null });
    expect(answer.latency_ms).toBeGreaterThanOrEqual(100);
    expect(answer.latency_ms).toBeLessThan(2_000);
    await Promise.all(server.connections.map(untilClosed));
  });

  test('counts from the first moment: a TLS that never answers', async () => {
    const server = await listenRaw((socket) => socket.resume());
    const answer = await client.call(sellerCall(urlOf(server, 'https'), soon()));
    expect(answer).toMatchObject({ outcome: 'timed_out', http_status: null });
    expect(answer.latency_ms).toBeLessThan(2_000);
  });
});

describe('a call that is not wanted any more', () => {
  const reason = new Error('not wanted');

  test('is not begun', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    await expect(callTo(server, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections).toEqual([]);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['before the answer', () => null],
    ['within the body', (socket) => socket.write(`${ok}content-length: 9\r\n\r\n{`)],
  ])('ends with its connection, %s', async (_, then) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await listenRaw((socket) => {
      socket.once('data', () => {
        then(socket);
        resolve();
      });
    });
    const end = new AbortController();
    const answer = callTo(server, { signal: end.signal });
    await asked;
    end.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await Promise.all(server.connections.map(untilClosed));
    await expectFree(client, cap);
  });

  test('ends while it is still connecting', async () => {
    const { promise: connected, resolve } = Promise.withResolvers<Socket>();
    const server = await listenRaw(resolve);
    const end = new AbortController();
    const answer = client.call(sellerCall(urlOf(server, 'https'), { signal: end.signal }));
    await connected;
    end.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expectFree(client, cap);
  });
});
