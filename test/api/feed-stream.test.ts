import { once } from 'node:events';
import http from 'node:http';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { rpc, v0Path, v0Send } from '../a2a/agent-client.ts';
import { feedPath, follow, followFeed, readPage, tell, type Follower } from './feed-client.ts';
import { act, buyUpTo, openMarket } from './purchase.ts';

let service: Service;
const recheckMs = 200;
beforeAll(async () => {
  service = await startService({ STREAM_RECHECK_INTERVAL: `${recheckMs}ms` });
});
afterAll(() => service.close());

/** Reads to the end, which the service makes. */
async function ended(stream: Follower): Promise<void> {
  await stream.until(null);
  stream.close();
}

const bearer = (token: string | undefined) => ({ headers: async () => ({ authorization: `Bearer ${token}` }) });
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => `event.${from + index}`);

describe('the stream of the feed', () => {
  it('begins with what happens from now on, and tells where that is', async () => {
    const market = await openMarket(service);
    const before = await buyUpTo(market, 'pending');
    await expect.poll(async () => (await readPage(market.buyer)).items.length).toBe(1);
    const stream = await followFeed(service, market.buyer);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const place = /^id: (\d+)$/m.exec(stream.text())?.[1] ?? '';
    const next = await buyUpTo(market, 'pending');
    await act(market.buyer, before, 'freeze');
    const events = await stream.until(2);
    expect(
      events.map(({ event, data }) => [event, (JSON.parse(data) as { transaction_id: string }).transaction_id]),
    ).toEqual([
      ['transaction.created', next],
      ['transaction.frozen', before],
    ]);
    stream.close();
    // The place of the beginning is good to come back with, before any event has come.
    const again = await followFeed(service, market.buyer, { headers: { 'last-event-id': place } });
    expect(await again.until(2)).toEqual(events);
    again.close();
  });

  it('tells each event as the page has it', async () => {
    const person = await service.human();
    const stream = await followFeed(service, person, { query: '?after=0' });
    await tell(service, person, ['one'], { text: 'two\nlines and a "quote"' });
    const [event] = await stream.until(1);
    stream.close();
    const { items } = await readPage(person);
    expect(JSON.parse(event?.data ?? '')).toEqual(items[0]);
    expect(event).toMatchObject({ id: items[0]?.seq, event: 'one' });
  });

  it('goes on after Last-Event-ID rather than after the query, without a gap or a repetition', async () => {
    const person = await service.human();
    await tell(service, person, numbered(0, 150));
    const first = await followFeed(service, person, { query: '?after=0' });
    const seen = [...(await first.until(70))].slice(0, 70);
    first.close();
    await tell(service, person, numbered(150, 50));
    const headers = { 'last-event-id': seen.at(-1)?.id ?? '' };
    const second = await followFeed(service, person, { query: '?after=0', headers });
    const rest = await second.until(130);
    second.close();
    expect([...seen, ...rest].map(({ event }) => event)).toEqual(numbered(0, 200));
  });

  it('can be narrowed as a page can', async () => {
    const person = await service.human();
    const stream = await followFeed(service, person, { query: '?type=wanted' });
    await tell(service, person, ['other', 'wanted', 'other']);
    await tell(service, person, ['wanted']);
    expect((await stream.until(2)).map(({ event }) => event)).toEqual(['wanted', 'wanted']);
    stream.close();
  });

  it('refuses a Last-Event-ID that is none', async () => {
    const person = await service.human();
    const stream = await followFeed(service, person, { headers: { 'last-event-id': '-1' } });
    expect(stream.response.status).toBe(422);
    stream.close();
  });

  it('loses nothing for a client that takes nothing for a while', { timeout: 60_000 }, async () => {
    const person = await service.human();
    const request = http.get(`${service.url}${feedPath}`, {
      headers: { ...(await person.headers()), accept: 'text/event-stream' },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await once(response, 'readable');
    // More than the sockets and the queue hold, in commits of their own, so that most are told as they come.
    const count = 400;
    const filler = 'x'.repeat(60_000);
    for (let index = 0; index < count; index += 10) await tell(service, person, numbered(index, 10), { filler });
    const events: string[] = [];
    const parser = createParser({ onEvent: ({ event }) => events.push(event ?? '') });
    for await (const chunk of response.setEncoding('utf8')) {
      parser.feed(String(chunk));
      if (events.length >= count) break;
    }
    request.destroy();
    expect(events).toEqual(numbered(0, count));
  });
});

describe('an open stream ends', () => {
  it('when the session of its token ends, and no other stream does', async () => {
    const account = { email: 'leaving@example.com', password: 'a-long-enough-password' };
    await service.call('POST', '/api/v1/auth/register', { ...account, display_name: 'Leaving' });
    const login = async () =>
      (await service.call('POST', '/api/v1/auth/login', account)).data as Record<string, string>;
    const [leaving, staying] = [await login(), await login()];
    const streams = [leaving, staying].map(({ access_token }) => followFeed(service, bearer(access_token)));
    const [first, second] = await Promise.all(streams);
    await service.call('POST', '/api/v1/auth/logout', { refresh_token: leaving['refresh_token'] });
    if (first === undefined || second === undefined) throw new Error('two streams');
    await ended(first);
    const { data } = await service.call(
      'GET',
      '/api/v1/auth/me',
      undefined,
      await bearer(staying['access_token']).headers(),
    );
    await tell(service, { userId: (data as { id: string }).id }, ['still.told']);
    expect((await second.until(1)).map(({ event }) => event)).toEqual(['still.told']);
    second.close();
  });

  it('when its access token expires', async () => {
    const person = await service.human();
    const almostOver = new Date(Date.now() - 15 * 60_000 + 1_500);
    const token = await service.secrets.accessTokens.sign({ id: person.userId, roles: ['user'] }, almostOver);
    const stream = await followFeed(service, { headers: async () => ({ authorization: `Bearer ${token}` }) });
    expect(stream.response.status).toBe(200);
    await ended(stream);
  });

  it.each(['feed', 'transaction', 'A2A task'] as const)('when its API key is revoked: %s', async (kind) => {
    const market = await openMarket(service);
    const agent = await service.agent();
    await service.credit(agent, '100');
    const purchase = { capability_id: market.capabilityId };
    const { data } = await agent.call('POST', '/api/v1/transactions', purchase);
    const headers = await agent.headers();
    const message = rpc('tasks/sendSubscribe', v0Send(crypto.randomUUID(), purchase, { metadata: { freeze: true } }));
    const stream = await {
      feed: () => followFeed(service, agent),
      transaction: () => follow(`${service.url}/api/v1/transactions/${(data as { id: string }).id}/events`, headers),
      'A2A task': () =>
        follow(
          `${service.url}${v0Path}`,
          { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          { method: 'POST', body: JSON.stringify(message) },
        ),
    }[kind]();
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await stream.untilText('\n\n');
    expect((await service.admin.call('DELETE', `/api/v1/admin/keys/${agent.apiKeyId}`)).code).toBe(0);
    await ended(stream);
  });
});

describe('the number of streams', () => {
  it('is limited for a user over all kinds together, and one that is closed makes room', async () => {
    const market = await openMarket(service);
    const id = await buyUpTo(market, 'frozen');
    const headers = await market.buyer.headers();
    const url = `${service.url}/api/v1/transactions/${id}/events`;
    const feeds = await Promise.all(Array.from({ length: 10 }, () => followFeed(service, market.buyer)));
    const others = await Promise.all(Array.from({ length: 10 }, () => follow(url, headers)));
    expect([...feeds, ...others].map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    const one = await followFeed(service, market.buyer);
    expect(one.response.status).toBe(429);
    expect(one.response.headers.get('retry-after')).toBe('5');
    expect((await follow(url, headers)).response.status).toBe(429);
    const task = await follow(
      `${service.url}${v0Path}`,
      { ...headers, 'content-type': 'application/json' },
      { method: 'POST', body: JSON.stringify(rpc('tasks/resubscribe', { id })) },
    );
    expect(task.response.status).toBe(429);
    expect((await followFeed(service, market.seller)).response.status).toBe(200);
    feeds[0]?.close();
    await expect.poll(async () => (await followFeed(service, market.buyer)).response.status).toBe(200);
    [...feeds, ...others].forEach((stream) => stream.close());
  });

  it('is limited for a process, which asks to come back, and ends them all when it stops', async () => {
    const small = await startService({ STREAMS_PER_PROCESS: '2' });
    const people: Person[] = await Promise.all([small.human(), small.human(), small.human()]);
    const [first, second, third] = people as [Person, Person, Person];
    const open = [await followFeed(small, first), await followFeed(small, second)];
    try {
      const refused = await third.call('GET', feedPath, undefined, { accept: 'text/event-stream' });
      expect(refused).toMatchObject({ status: 503, code: 5030 });
      expect(refused.headers.get('retry-after')).toBe('5');
      open[0]?.close();
      await expect.poll(async () => (await followFeed(small, third)).response.status).toBe(200);
    } finally {
      await small.close();
    }
    // A connection that was merely cut would be an error.
    expect(await open[1]?.until(null)).toEqual([]);
  });
});
