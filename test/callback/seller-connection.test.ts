import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openSellerClient, type SellerCall } from '../../activities/callback/seller-client.ts';
import type { CallbackAnswer } from '../../domain/capability/callback.ts';
import { type Listening, listenHttp, listenRaw, untilClosed, urlOf } from './listening.ts';
import { expectFree } from './place.ts';
import { sellerCall } from './seller-call.ts';

const cap = 10;
const client = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: cap });
afterAll(() => client.close());

const callTo = (server: Listening, changes: Partial<SellerCall> = {}) =>
  client.call(sellerCall(urlOf(server), changes));
const soon = () => ({ expiresAtMs: Date.now() + 150 });
const ok = 'HTTP/1.1 200 OK\r\n';
const outcomes = (answers: readonly CallbackAnswer[]) => answers.map(({ outcome }) => outcome);
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('calls at once to one host', () => {
  test('over the cap they are busy at once, and the others are answered', async () => {
    const waiting: ServerResponse[] = [];
    const { promise: full, resolve } = Promise.withResolvers<void>();
    const server = await listenHttp((_, response) => {
      if (waiting.push(response) === cap) resolve();
    });
    const calls = times(25, () => callTo(server));
    const busy = await Promise.all(calls.slice(cap));
    expect(busy.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual(times(15, () => 'failed host_busy'));
    await full;
    const elsewhere = await listenHttp((_, response) => response.end('{}'));
    const url = `http://localhost:${elsewhere.port}/`;
    expect(await client.call(sellerCall(url))).toMatchObject({ outcome: 'answered' });
    // Another port is the same host. Nothing is written and signed for a call that is not made.
    const { body } = sellerCall('');
    const input = { toJSON: () => expect.unreachable('the body was written') };
    expect(await callTo(elsewhere, { body: { ...body, input } })).toMatchObject({ reason: 'host_busy' });
    for (const response of waiting) response.end('{}');
    expect(outcomes(await Promise.all(calls.slice(0, cap)))).toEqual(times(cap, () => 'answered'));
    expect(server.connections).toHaveLength(cap);
    await expectFree(client, cap);
  });

  test('those that timed out leave their places, also at the same port', async () => {
    let isSilent = true;
    const server = await listenHttp((_, response) => void (isSilent || response.end('{}')));
    expect(outcomes(await Promise.all(times(cap, () => callTo(server, soon()))))).toEqual(
      times(cap, () => 'timed_out'),
    );
    isSilent = false;
    expect(outcomes(await Promise.all(times(cap, () => callTo(server))))).toEqual(times(cap, () => 'answered'));
  });

  test.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => socket.resetAndDestroy()],
    ['answered with a redirect', (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n')],
    ['answered with too much', (socket) => socket.end(`${ok}\r\n${'x'.repeat(2_000_000)}`)],
  ])('those that were %s leave their places', async (_, onConnection) => {
    const server = await listenRaw((socket) => socket.once('data', () => onConnection(socket)));
    const answers = await Promise.all(times(cap, () => callTo(server)));
    expect(outcomes(answers)).not.toContain('answered');
    await expectFree(client, cap);
  });
});

describe('connections', () => {
  test.each([
    [200, '{}'],
    [202, '{"later":true}'],
    [404, 'not here'],
    [500, 'not now'],
    [302, ''],
  ])('one serves all calls that follow each other, after %i', async (status, body) => {
    const server = await listenHttp((_, response) => response.writeHead(status).end(body));
    for (const _ of times(5, () => null)) {
      expect(await callTo(server)).toMatchObject({ http_status: status });
    }
    expect(server.connections).toHaveLength(1);
  });

  test('one that the seller has closed meanwhile is not used again', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    await callTo(server);
    const [socket] = server.connections;
    socket?.end();
    if (socket !== undefined) await once(socket, 'end');
    expect(await callTo(server)).toMatchObject({ outcome: 'answered' });
    expect(server.connections).toHaveLength(2);
  });

  test('all are closed with the client, and what is under way fails', async () => {
    const own = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: cap });
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await listenHttp(() => resolve());
    const answer = own.call(sellerCall(urlOf(server)));
    await asked;
    await own.close();
    expect(await answer).toMatchObject({ outcome: 'failed', reason: 'connection_failed' });
    await Promise.all(server.connections.map(untilClosed));
  });
});
