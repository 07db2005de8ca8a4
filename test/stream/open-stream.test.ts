import { once } from 'node:events';
import http from 'node:http';
import { setImmediate } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendStream } from '../../api/a2a/answer.ts';
import type { RpcResponse } from '../../api/a2a/json-rpc.ts';
import type { Confirm, EventStream } from '../../api/stream/event-stream.ts';
import { OpenStreams } from '../../api/stream/open-stream.ts';
import { MarketplaceError } from '../../domain/errors.ts';

let app: FastifyInstance;
let url: string;
/** In an object, as a reply by itself is a promise of its end. */
let arrived: PromiseWithResolvers<{ readonly reply: FastifyReply }>;
let streams: OpenStreams;
beforeEach(async () => {
  app = Fastify();
  app.get('/', (_request, reply) => arrived.resolve({ reply }));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const settings = { streamsPerUser: 1, streamsPerProcess: 1, streamRecheckMs: 1_000 };
  streams = new OpenStreams(settings, new AbortController().signal);
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** A request, and the reply that the service has not begun. */
async function ask(): Promise<{ request: http.ClientRequest; reply: FastifyReply }> {
  arrived = Promise.withResolvers();
  const request = http.get(url);
  // A connection that is cut says so here as well.
  request.on('error', () => undefined);
  const { reply } = await arrived.promise;
  return { request, reply };
}

interface Opened {
  readonly stream: EventStream;
  readonly reply: FastifyReply;
  /** What the client has, and does not take before it is read. */
  readonly response: http.IncomingMessage;
  /** Looks after the stream as the timer does, so many milliseconds after it was opened. */
  readonly lookAfter: (ms: number) => Promise<void>;
}

async function open(confirm: Confirm = async () => undefined): Promise<Opened> {
  const { request, reply } = await ask();
  const stream = streams.open(reply, confirm);
  const openedAtMs = performance.now();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const lookAfter = async (ms: number) => {
    stream.lookAfter(openedAtMs + ms);
    // What `confirm` said has been heard by then.
    await setImmediate();
  };
  return { stream, reply, response, lookAfter };
}

/** All that the client is sent; rejects where the connection is cut before the end. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  return (await response.setEncoding('utf8').toArray()).join('');
}

describe('an open stream', () => {
  it('is none where the client left before it was opened', async () => {
    const { request, reply } = await ask();
    const gone = once(reply.raw, 'close');
    request.destroy();
    await gone;
    const stream = streams.open(reply, async () => undefined);
    expect(stream.isOpen).toBe(false);
    expect(streams.count).toBe(0);
  });

  it('is kept alive while there is nothing to tell', async () => {
    const { stream, response, lookAfter } = await open();
    await lookAfter(15_000);
    stream.end();
    expect(await textOf(response)).toBe(': open\n\n: still here\n\n');
  });

  it('ends at once where its caller may not come in any more', async () => {
    const { response, lookAfter } = await open(() => Promise.reject(new MarketplaceError('unauthenticated')));
    await lookAfter(1_000);
    expect(streams.count).toBe(0);
    expect(await textOf(response)).toMatch(/^: open\n\n/);
  });

  it('ends after 60 s in which its caller could not be asked about, and not before', async () => {
    let asked = 0;
    let isAway = true;
    const { stream, response, lookAfter } = await open(async () => {
      asked += 1;
      if (isAway) throw new MarketplaceError('unavailable');
    });
    for (const ms of [1_000, 30_000, 59_000]) await lookAfter(ms);
    isAway = false;
    await lookAfter(60_000);
    isAway = true;
    for (const ms of [61_000, 119_000]) await lookAfter(ms);
    expect(asked).toBe(6);
    expect(stream.isOpen).toBe(true);
    await lookAfter(121_000);
    expect(streams.count).toBe(0);
    expect(await textOf(response)).toMatch(/still here\n\n$/);
  });
});

describe('a client', () => {
  /** More than the sockets hold. */
  const large = Buffer.alloc(64 * 1024 * 1024, 'x');

  it('that takes nothing is cut off after 30 s, and not before', async () => {
    const { stream, reply, response, lookAfter } = await open();
    const writing = stream.write(large);
    await lookAfter(29_000);
    expect(reply.raw.destroyed).toBe(false);
    await lookAfter(31_000);
    await writing;
    expect(streams.count).toBe(0);
    await expect(textOf(response)).rejects.toThrow('aborted');
  });

  it('that was slow and has taken everything stays', async () => {
    const { stream, response, lookAfter } = await open();
    const writing = stream.write(large);
    const text = textOf(response);
    await writing;
    await lookAfter(31_000);
    expect(stream.isOpen).toBe(true);
    stream.end();
    expect((await text).length).toBeGreaterThan(large.length);
  });
});

it('the answers of a task are let go of where their stream cannot be opened', async () => {
  const { reply } = await ask();
  let isLetGo = false;
  const answers = async function* (): AsyncGenerator<RpcResponse, void, undefined> {
    try {
      yield { jsonrpc: '2.0', id: 1, result: {} };
    } finally {
      isLetGo = true;
    }
  };
  const broken = new MarketplaceError('unavailable');
  const refuse = () => {
    throw broken;
  };
  const sent = sendStream(reply, answers(), { generation: '1.0', id: 1 }, refuse);
  await expect(sent).rejects.toBe(broken);
  expect(isLetGo).toBe(true);
});
