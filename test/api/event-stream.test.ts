import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { act, buyUpTo, openMarket, type Data, type Market } from './purchase.ts';

let service: Service;
let market: Market;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  market = await openMarket(service);
});

/** Follows a transaction; `until` resolves with all events so far once one of the type has come, or the stream ends. */
async function follow(person: Person, id: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)]);
  const given = { ...(await person.headers()), ...headers };
  const response = await fetch(`${service.url}/api/v1/transactions/${id}/events`, { headers: given, signal });
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const chunks = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const until = async (type: string | null) => {
    while (type === null || !events.some((event) => event.event === type)) {
      const { value, done } = await chunks.next();
      if (done) break;
      parser.feed(value);
    }
    return events;
  };
  return { response, until, close: () => stop.abort() };
}

const typesOf = (events: readonly EventSourceMessage[]) => events.map((event) => event.event);

it('tells what was, then each event as it commits, and ends after the last', async () => {
  const id = await buyUpTo(market, 'frozen');
  const stream = await follow(market.seller, id);
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
  expect(typesOf(await stream.until('transaction.frozen'))).toEqual(['transaction.created', 'transaction.frozen']);
  await act(market.seller, id, 'accept');
  await stream.until('transaction.accepted');
  await act(market.seller, id, 'deliver');
  await act(market.buyer, id, 'confirm');
  const events = await stream.until(null);
  expect(typesOf(events)).toEqual(
    ['created', 'frozen', 'accepted', 'delivered', 'confirmed', 'settled'].map((status) => `transaction.${status}`),
  );
  const last = JSON.parse(events.at(-1)?.data ?? '') as Data;
  expect(last).toMatchObject({
    transaction_id: id,
    operation: 'confirm',
    actor_type: 'buyer',
    data: { status: 'settled' },
  });
});

it('goes on after Last-Event-ID without a gap or a repetition', async () => {
  const id = await buyUpTo(market, 'accepted');
  const first = await follow(market.buyer, id);
  const [, frozen] = await first.until('transaction.frozen');
  first.close();
  await act(market.seller, id, 'reject');
  const second = await follow(market.buyer, id, { 'last-event-id': frozen?.id ?? '' });
  expect(typesOf(await second.until(null))).toEqual(['transaction.accepted', 'transaction.rejected_by_seller']);
  const third = await follow(market.buyer, id, { 'last-event-id': '999999999' });
  expect(await third.until(null)).toEqual([]);
});

it('is for the parties only, and says what is wrong with a bad id', async () => {
  const id = await buyUpTo(market, 'pending');
  const stranger = await service.human();
  const path = `/api/v1/transactions/${id}/events`;
  expect((await stranger.call('GET', path)).code).toBe(4031);
  expect((await service.call('GET', path)).code).toBe(4010);
  expect((await market.buyer.call('GET', `/api/v1/transactions/${crypto.randomUUID()}/events`)).code).toBe(4040);
  const bad = await market.buyer.call('GET', path, undefined, { 'last-event-id': 'abc' });
  expect(bad).toMatchObject({ code: 4000, data: { errors: [{ path: 'Last-Event-ID' }] } });
});

it('refuses more than twenty at once for one user, and takes a new one when one is closed', async () => {
  const id = await buyUpTo(market, 'pending');
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(market.buyer, id)));
  expect(streams.every((stream) => stream.response.status === 200)).toBe(true);
  expect((await follow(market.buyer, id)).response.status).toBe(429);
  streams.forEach((stream) => stream.close());
  await expect.poll(async () => (await follow(market.buyer, id)).response.status, { timeout: 5_000 }).toBe(200);
  await act(market.buyer, id, 'cancel');
});
