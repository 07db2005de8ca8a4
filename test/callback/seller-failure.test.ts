import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openSellerClient } from '../../activities/callback/seller-client.ts';
import { type Listening, listenHttp, listenHttps, listenRaw, listenSaying, urlOf } from './listening.ts';
import { sellerCall } from './seller-call.ts';

const client = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: 10 });
afterAll(() => client.close());

const callTo = (server: Listening) => client.call(sellerCall(urlOf(server)));
const ok = 'HTTP/1.1 200 OK\r\n';

describe('a call that goes wrong', () => {
  test('nobody listens', async () => {
    const answer = await client.call(sellerCall('http://127.0.0.1:1/'));
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'connection_failed', http_status: null });
  });

  test('the name is unknown', async () => {
    const answer = await client.call(sellerCall('http://seller.invalid/'));
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'unresolvable', http_status: null });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['closes', (socket) => socket.end()],
    ['resets when asked', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['closes when asked', (socket) => socket.once('data', () => socket.end())],
    ['speaks something else', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['floods with headers', (socket) => socket.write(`${ok}${`a: ${'x'.repeat(1_000)}\r\n`.repeat(100)}`)],
    [
      'changes the protocol',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('the seller %s', async (_, onConnection) => {
    const server = await listenRaw(onConnection);
    const answer = await callTo(server);
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'connection_failed', http_status: null });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['resets', 'content-length: 10', (socket) => socket.resetAndDestroy()],
    ['closes', 'content-length: 10', (socket) => socket.end()],
    ['closes', 'transfer-encoding: chunked', (socket) => socket.end('2\r\n{}\r\n')],
    ['miscounts', 'transfer-encoding: chunked', (socket) => socket.end('zz\r\n{}\r\n')],
  ])('the seller %s within the body (%s)', async (_, header, then) => {
    const server = await listenSaying(`${ok}${header}\r\n\r\n`, then);
    const answer = await callTo(server);
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'connection_failed', http_status: 200, result: null });
  });

  test('nobody vouches for the certificate', async () => {
    const server = await listenHttps((_, response) => response.end('{}'));
    const answer = await client.call(sellerCall(urlOf(server, 'https')));
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'tls_failed', http_status: null });
  });

  test('https, but no TLS', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    const answer = await client.call(sellerCall(urlOf(server, 'https')));
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'tls_failed' });
  });
});
