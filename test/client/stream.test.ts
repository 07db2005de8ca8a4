import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { marketplaceClient, type MarketplaceClient, type RetryNotice } from '../../api/client/client.ts';
import { act, buyUpTo, openMarket, type Market } from '../api/purchase.ts';
import { startService, type AgentPerson, type Service } from '../harness.ts';
import { startFlakyProxy, type FlakyProxy } from './flaky-proxy.ts';

let service: Service;
let proxy: FlakyProxy;
let agent: AgentPerson;
let market: Market;
let client: MarketplaceClient;
let notices: RetryNotice[];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  proxy = await startFlakyProxy(() => service.url);
  agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  notices = [];
  client = marketplaceClient({
    baseUrl: proxy.url,
    credentials: { apiKey: agent.apiKey, userId: agent.userId },
    onRetry: (notice) => notices.push(notice),
  });
});
afterEach(async () => {
  await proxy.close();
});

const whole = ['created', 'frozen', 'accepted', 'delivered', 'confirmed', 'settled'];
const nameOf = (type: string) => type.replace('transaction.', '');
const idSeenOnceBroken = () => {
  proxy.breakAll();
  return idsSeen().at(-1);
};
const idsSeen = () => proxy.seen.map(({ headers }) => headers['last-event-id']);

it('tells each event once and ends by itself, although its connections break and do not come about', async () => {
  const id = await buyUpTo(market, 'frozen');
  const seen: string[] = [];
  const ids: string[] = [];
  for await (const event of client.transactionEvents(id)) {
    seen.push(nameOf(event.type));
    ids.push(event.id);
    expect(event.data.seq).toBe(event.id);
    if (event.data.data.status === 'frozen') {
      proxy.next('lose', { status: 503, body: 'away' });
      proxy.breakAll();
      await act(market.seller, id, 'accept');
    }
    if (event.data.data.status === 'accepted') {
      proxy.breakAll();
      await act(market.seller, id, 'deliver');
      await act(market.buyer, id, 'confirm');
    }
  }
  expect(seen).toEqual(whole);
  expect(idsSeen()).toEqual([undefined, ids[1], ids[1], ids[1], ids[2]]);
  expect(notices.length).toBeGreaterThanOrEqual(4);
});

it('goes on after a known event, and ends where there is nothing after it', async () => {
  const id = await buyUpTo(market, 'settled');
  const all = [];
  for await (const event of client.transactionEvents(id)) all.push(event);
  const types = [];
  for await (const event of client.transactionEvents(id, { lastEventId: all[3]?.id })) types.push(nameOf(event.type));
  expect(types).toEqual(['confirmed', 'settled']);
  const none = [];
  for await (const event of client.transactionEvents(id, { lastEventId: all.at(-1)?.id })) none.push(event);
  expect(none).toEqual([]);
});

it('makes another connection when one is silent', async () => {
  const id = await buyUpTo(market, 'frozen');
  proxy.next('hang');
  const stream = client.transactionEvents(id, { idleTimeoutMs: 200 });
  expect((await stream.next()).value).toMatchObject({ type: 'transaction.created' });
  expect(proxy.seen).toHaveLength(2);
  expect(notices[0]?.error.message).toContain('silent');
  await stream.return(undefined);
});

it('keeps its connection while its reader is at work on an event', async () => {
  const id = await buyUpTo(market, 'frozen');
  const stream = client.transactionEvents(id, { idleTimeoutMs: 1_000 });
  await stream.next();
  // Longer than the connection may be silent.
  await delay(1_500);
  expect(proxy.open()).toBe(1);
  expect((await stream.next()).value).toMatchObject({ type: 'transaction.frozen' });
  await act(market.seller, id, 'accept');
  expect((await stream.next()).value).toMatchObject({ type: 'transaction.accepted' });
  expect(proxy.seen).toHaveLength(1);
  await stream.return(undefined);
});

it.for([
  ['an event that is none', '{', 'JSON'],
  ['one without an end', 'A'.repeat(5 * 1024 * 1024), 'too long'],
] as const)('is over with %s, as the next connection would bring the same', async ([, data, message]) => {
  const id = await buyUpTo(market, 'frozen');
  const body = `id: 1\ndata: ${data}\n\n`;
  proxy.next({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
  await expect(client.transactionEvents(id).next()).rejects.toThrow(message);
  expect(proxy.seen).toHaveLength(1);
  await expect.poll(() => proxy.open()).toBe(0);
});

it('closes its connection when its reader stops, or its signal says so', async () => {
  const id = await buyUpTo(market, 'frozen');
  for await (const { type } of client.transactionEvents(id)) if (type === 'transaction.frozen') break;
  await expect.poll(() => proxy.open()).toBe(0);
  const enough = new AbortController();
  const stream = client.transactionEvents(id, { signal: enough.signal });
  await stream.next();
  await stream.next();
  const waiting = stream.next();
  enough.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect.poll(() => proxy.open()).toBe(0);
});

it('follows everything of its caller, each event once, however often the connection breaks', async () => {
  const { next_after: after } = await client.get('/api/v1/events');
  const stream = client.events({ query: { after, type: 'transaction.frozen' } });
  const bought: string[] = [];
  const told: (string | null)[] = [];
  for (let count = 0; count < 3; count += 1) {
    bought.push(await buyUpTo(market, 'accepted'));
    const { value } = await stream.next();
    told.push(value?.data.transaction_id ?? null);
    proxy.breakAll();
  }
  expect(told).toEqual(bought);
  expect(proxy.seen.filter(({ line }) => line.startsWith(`GET /api/v1/events?after=${after}`))).toHaveLength(3);
  await stream.return(undefined);
});

it('keeps the place from which it follows, although nothing has happened yet', async () => {
  const stream = client.events();
  const first = stream.next();
  // The service names the place as soon as the connection stands; every connection after that has to ask for it.
  await expect.poll(idSeenOnceBroken, { interval: 500, timeout: 15_000 }).toMatch(/^\d+$/);
  const id = await buyUpTo(market, 'pending');
  expect((await first).value).toMatchObject({ type: 'transaction.created', data: { transaction_id: id } });
  await stream.return(undefined);
});

it('is refused to strangers at once', async () => {
  const foreign = await openMarket(service);
  const id = await buyUpTo(foreign, 'frozen');
  await expect(client.transactionEvents(id).next()).rejects.toMatchObject({ errorName: 'not_a_party' });
  expect(proxy.seen).toHaveLength(1);
});

it('gives up where no connection comes about', async () => {
  const id = await buyUpTo(market, 'frozen');
  const credentials = { apiKey: agent.apiKey, userId: agent.userId };
  const few = marketplaceClient({ baseUrl: proxy.url, credentials, retry: { attemptsMax: 2 } });
  proxy.next('lose', 'lose', 'lose');
  await expect(few.transactionEvents(id).next()).rejects.toMatchObject({ name: 'NoAnswerError' });
  expect(proxy.seen).toHaveLength(2);
});
