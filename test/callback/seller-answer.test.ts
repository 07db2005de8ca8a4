import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openSellerClient } from '../../activities/callback/seller-client.ts';
import { answerMaxBytes } from '../../domain/capability/callback.ts';
import { type Listening, listenHttp, listenSaying, untilClosed, urlOf } from './listening.ts';
import { sellerCall } from './seller-call.ts';

const client = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: 10 });
afterAll(() => client.close());

const callTo = (server: Listening) => client.call(sellerCall(urlOf(server)));
const ok = 'HTTP/1.1 200 OK\r\n';

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe('statuses', () => {
  test.each([
    [202, 'accepted', null],
    [300, 'refused', 'http_3xx'],
    [400, 'refused', 'http_4xx'],
    [404, 'refused', 'http_4xx'],
    [410, 'refused', 'http_4xx'],
    [429, 'refused', 'http_4xx'],
    [500, 'failed', 'http_5xx'],
    [503, 'failed', 'http_5xx'],
    [999, 'failed', 'http_5xx'],
    [201, 'answered', null],
  ])('%i is %s', async (status, outcome, reason) => {
    const server = await listenHttp((_, response) => response.writeHead(status).end('{"a":1}'));
    const result = outcome === 'answered' ? { a: 1 } : null;
    expect(await callTo(server)).toMatchObject({ outcome, reason, http_status: status, result });
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const target = await listenHttp((_, response) => response.end('{}'));
    const server = await listenHttp((_, response) => response.writeHead(status, { location: urlOf(target) }).end());
    expect(await callTo(server)).toMatchObject({ outcome: 'refused', reason: 'http_3xx', http_status: status });
    expect(target.connections).toEqual([]);
  });

  test.each([
    [202, 'accepted'],
    [404, 'refused'],
    [500, 'failed'],
  ])('%i is told without its endless body, whose connection ends', async (status, outcome) => {
    const server = await listenHttp((_, response) => void response.writeHead(status).write('.'));
    const answer = await callTo(server);
    expect(answer).toMatchObject({ outcome, http_status: status });
    await Promise.all(server.connections.map(untilClosed));
  });

  test('what is said before the answer is no answer', async () => {
    const server = await listenSaying(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}content-length: 2\r\n\r\n{}`);
    expect(await callTo(server)).toMatchObject({ outcome: 'answered', http_status: 200 });
  });
});

describe('a result', () => {
  test.each([
    ['empty', ''],
    ['an array', '[]'],
    ['a text', '"text"'],
    ['a number', '1'],
    ['null', 'null'],
    ['malformed', '{"a":'],
    ['followed by more', '{} {}'],
    ['a page', '<html></html>'],
    ['the escape of NUL', '{"a":["\\u0000"]}'],
    ['the escape of NUL in a key', '{"a":{"b\\u0000":1}}'],
    ['NUL itself', '{"a":"\0"}'],
    ['half a pair', '{"a":"\\ud834"}'],
    ['half a pair in a key', '{"\\udd1e":1}'],
    ['a number without end', '{"a":1e999}'],
    ['no UTF-8', Buffer.from([...Buffer.from('{"a":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
    ['too deep', nested(101)],
    ['a bomb', '['.repeat(500_000)],
    ['a bomb that is well formed', nested(500_000)],
  ])('is not: %s', async (_, body) => {
    const server = await listenHttp((__, response) => response.end(body));
    const answer = await callTo(server);
    expect(answer).toMatchObject({ outcome: 'refused', reason: 'not_json_object', http_status: 200, result: null });
  });

  test.each(['{}', '{"a":"\\\\u0000"}', '{"a":"\\ud834\\udd1e"}', '\ufeff{"__proto__":{"b":1}}', nested(100)])(
    'is: %s',
    async (body) => {
      const server = await listenHttp((_, response) => response.end(body));
      const { outcome, result } = await callTo(server);
      expect(outcome).toBe('answered');
      expect(JSON.stringify(result)).toBe(JSON.stringify(JSON.parse(body.replace('\ufeff', ''))));
    },
  );

  test('204 brings none', async () => {
    const server = await listenHttp((_, response) => response.writeHead(204).end());
    expect(await callTo(server)).toMatchObject({ reason: 'not_json_object', http_status: 204 });
  });

  test('is not packed', async () => {
    const server = await listenHttp((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'));
    expect(await callTo(server)).toMatchObject({ outcome: 'refused', reason: 'not_json_object' });
  });
});

describe('the size of a result', () => {
  test('one of the most bytes is taken', async () => {
    const server = await listenHttp((_, response) => response.end(ofBytes(answerMaxBytes)));
    expect(await callTo(server)).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['with its length', (response: ServerResponse, body: string) => response.end(body)],
    ['without its length', (response: ServerResponse, body: string) => void response.write(body, () => response.end())],
  ])('one byte more is too large, %s', async (_, send) => {
    const server = await listenHttp((__, response) => void send(response, ofBytes(answerMaxBytes + 1)));
    expect(await callTo(server)).toMatchObject({ outcome: 'refused', reason: 'answer_too_large', http_status: 200 });
  });

  test.each(['content-length: 20000000', 'transfer-encoding: chunked', 'connection: close'])(
    'an endless one is cut off (%s)',
    async (header) => {
      const part = Buffer.alloc(65_536, 'x');
      const chunk = header.includes('chunked')
        ? Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')])
        : part;
      const flood = (socket: Socket) => {
        if (!socket.destroyed) socket.write(chunk, () => flood(socket));
      };
      const server = await listenSaying(`${ok}${header}\r\n\r\n`, flood);
      const answer = await callTo(server);
      expect(answer).toMatchObject({ outcome: 'refused', reason: 'answer_too_large', http_status: 200 });
      await Promise.all(server.connections.map(untilClosed));
      // What the kernel holds in between is sent in vain.
      expect(server.connections[0]?.bytesWritten).toBeLessThan(16 * answerMaxBytes);
    },
  );

  test('a length that is said too small ends the body there', async () => {
    const server = await listenSaying(`${ok}content-length: 2\r\n\r\n{}${'x'.repeat(2_000_000)}`);
    expect(await callTo(server)).toMatchObject({ outcome: 'answered', result: {} });
  });
});
