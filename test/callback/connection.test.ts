import { buildConnector } from 'undici';
import { expect, test } from 'vitest';
import { openConnections } from '../../activities/callback/connection.ts';
import { listenHttp, listenRaw, untilClosed } from './listening.ts';

const maxOrigins = 3;
function open() {
  const connections = openConnections({ connect: buildConnector({ allowH2: false }), maxPerOrigin: 2, maxOrigins });
  return { ...connections, [Symbol.asyncDispose]: () => connections.close() };
}
const requestTo = (port: number) => ({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'POST' as const });

test('hosts that never answered take no place for ever', async () => {
  await using connections = open();
  for (let count = 0; count < 3 * maxOrigins; count += 1) {
    const end = new AbortController();
    const { port } = await listenRaw((socket) => socket.once('data', () => end.abort(new Error('given up'))));
    await expect(connections.request({ ...requestTo(port), signal: end.signal })).rejects.toThrow('given up');
  }
  const { port } = await listenHttp((_, response) => response.end('{}'));
  expect(await (await connections.request(requestTo(port))).body.json()).toEqual({});
});

test('with more hosts than places each is answered, also those that were begun before', async () => {
  await using connections = open();
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
  const servers = await Promise.all(
    Array.from({ length: 4 * maxOrigins }, () => listenHttp((_, response) => void go.then(() => response.end('{}')))),
  );
  const answers = servers.map(({ port }) => connections.request(requestTo(port)));
  letGo();
  const bodies = await Promise.all(answers.map(async (answer) => (await answer).body.json()));
  expect(bodies).toEqual(servers.map(() => ({})));
});

test('closing ends also what was begun over connections that were given up', async () => {
  const connections = open();
  const servers = await Promise.all(
    Array.from({ length: maxOrigins + 1 }, () => listenRaw((socket) => socket.resume())),
  );
  const answers = Promise.allSettled(servers.map(({ port }) => connections.request(requestTo(port))));
  await expect.poll(() => servers.every((server) => server.connections.length === 1)).toBe(true);
  await connections.close();
  expect((await answers).map(({ status }) => status)).toEqual(servers.map(() => 'rejected'));
  await Promise.all(servers.flatMap((server) => server.connections.map(untilClosed)));
});
