import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendEvent } from '../../domain/store/event.store.ts';
import { startService, type Service } from '../harness.ts';
import { buyUpTo, openMarket } from '../api/purchase.ts';
import { openReceiver, type Answer, type Receiver } from './receiver.ts';
import {
  deliveriesOf,
  detailOf,
  freshPath,
  quickRetries,
  readWebhook,
  subscribe,
  tell,
  typesOf,
  untilEnded,
  verified,
  webhooks,
} from './subscription.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService({ ...quickRetries }, { webhooks: true }), openReceiver()]);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const trade = ['created', 'frozen', 'accepted', 'delivered', 'confirmed', 'settled'].map((one) => `transaction.${one}`);

describe('a delivery', () => {
  it('of each event of a trade comes once to each party, signed, as the feed shows the event', async () => {
    const market = await openMarket(service);
    const [buyers, sellers] = [freshPath(), freshPath()];
    const mine = await subscribe(market.buyer, receiver.urlOf(buyers));
    const theirs = await subscribe(market.seller, receiver.urlOf(sellers));
    await buyUpTo(market, 'settled');
    for (const [path, { secret }] of [
      [buyers, mine],
      [sellers, theirs],
    ] as const) {
      const received = await receiver.until(path, trade.length);
      expect(typesOf(received)).toEqual(trade);
      for (const one of received) {
        const { type, timestamp, data } = verified(one, secret);
        expect(data).toMatchObject({ type, created_at: timestamp, seq: expect.any(String) });
      }
    }
    const shown = receiver.received(buyers).map(({ body }) => (JSON.parse(body) as { data: { seq: string } }).data);
    const inOrder = shown.toSorted((a, b) => Number(a.seq) - Number(b.seq));
    const feed = async () => (await market.buyer.call('GET', '/api/v1/events?after=0&limit=100')).data.items;
    await expect.poll(feed).toEqual(inOrder);
    const ended = await untilEnded(market.buyer, mine.id, trade.length);
    expect(
      ended.map(({ status, attempt_count, last_http_status }) => ({ status, attempt_count, last_http_status })),
    ).toEqual(trade.map(() => ({ status: 'delivered', attempt_count: 1, last_http_status: 204 })));
    const ids = receiver.received(buyers).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set(ended.map(({ id }) => id)));
  });

  it('is made of what happens from the subscription on, of chosen types only, and of nobody else’s trade', async () => {
    const market = await openMarket(service);
    const before = await buyUpTo(market, 'frozen');
    const [chosen, strange] = [freshPath(), freshPath()];
    const event_types = ['transaction.settled', 'transaction.accepted'];
    const { id } = await subscribe(market.buyer, receiver.urlOf(chosen), { event_types });
    const other = await subscribe(await service.human(), receiver.urlOf(strange));
    await market.seller.call('POST', `/api/v1/transactions/${before}/accept`);
    await buyUpTo(market, 'settled');
    await receiver.until(chosen, 3);
    const accepted = 'transaction.accepted';
    expect(typesOf(receiver.received(chosen))).toEqual([accepted, accepted, 'transaction.settled']);
    expect(await untilEnded(market.buyer, id, 3)).toHaveLength(3);
    expect(receiver.received(strange)).toEqual([]);
    await tell(service, { userId: market.buyer.userId }, 'transaction.settled');
    await receiver.until(chosen, 4);
    expect(receiver.received(strange)).toEqual([]);
    expect(other.secret).toMatch(/^whsec_/);
  });

  it('goes on being made for a webhook whose types are changed, by the new choice', async () => {
    const person = await service.human();
    const path = freshPath();
    const { id } = await subscribe(person, receiver.urlOf(freshPath()), { event_types: ['transaction.failed'] });
    await tell(service, person);
    const changes = { event_types: [], url: receiver.urlOf(path), description: 'all of it' };
    const changed = await person.call('PUT', `${webhooks}/${id}`, changes);
    expect(changed.data).toMatchObject({ id, ...changes, status: 'enabled' });
    await tell(service, person, 'transaction.frozen');
    // What happened just before the change may come too: the relay had not looked at it yet.
    await expect.poll(() => typesOf(receiver.received(path))).toContain('transaction.frozen');
    expect((await person.call('PUT', `${webhooks}/${id}`, { description: null })).data).toMatchObject({
      description: null,
      url: changes.url,
    });
  });
});

/** What comes to a fresh path of one event whose first answers are these. */
async function receivedOf(answers: readonly Answer[], count: number) {
  const person = await service.human();
  const path = freshPath();
  receiver.answer(path, (ordinal) => answers[ordinal - 1] ?? 204);
  const { id, secret } = await subscribe(person, receiver.urlOf(path));
  await tell(service, person);
  const received = await receiver.until(path, count);
  const [delivery] = await untilEnded(person, id, 1);
  return { person, path, id, secret, received, detail: await detailOf(person, id, delivery?.['id']) };
}

describe('an attempt that fails', () => {
  it('is tried again by the schedule, with the same bytes and the same id, signed anew', async () => {
    const { received, secret, detail } = await receivedOf([500, 404], 3);
    const [first, second, third] = received;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few came');
    expect([second.body, third.body, detail['body']]).toEqual([first.body, first.body, first.body]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([detail['id']]));
    for (const one of received) verified(one, secret);
    expect(second.atMs - first.atMs).toBeGreaterThanOrEqual(20);
    expect(third.atMs - second.atMs).toBeGreaterThanOrEqual(40);
    expect(detail).toMatchObject({
      status: 'delivered',
      attempt_count: 3,
      last_http_status: 204,
      next_attempt_at: null,
    });
    expect(detail.attempts).toMatchObject([
      { number: 1, outcome: 'failed', reason: 'http_5xx', http_status: 500, latency_ms: expect.any(Number) },
      { number: 2, outcome: 'failed', reason: 'http_4xx', http_status: 404, latency_ms: expect.any(Number) },
      { number: 3, outcome: 'delivered', reason: null, http_status: 204, latency_ms: expect.any(Number) },
    ]);
  });

  it('waits as long as Retry-After asks', async () => {
    const { received } = await receivedOf([{ status: 429, headers: { 'retry-after': '1' } }], 2);
    expect((received[1]?.atMs ?? 0) - (received[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('is one that is redirected, and nobody goes there', async () => {
    const there = freshPath();
    const elsewhere = { status: 307, headers: { location: receiver.urlOf(there) } };
    const { detail } = await receivedOf([elsewhere], 2);
    expect(detail.attempts[0]).toMatchObject({ outcome: 'failed', reason: 'http_3xx', http_status: 307 });
    expect(receiver.received(there)).toEqual([]);
  });

  it.each([
    ['hangs up', 'hang up', 'connection_failed'],
    ['never answers', 'never', 'timed_out'],
  ] as const)('is one whose receiver %s', async (_, answer, reason) => {
    const { detail } = await receivedOf([answer], 2);
    expect(detail.attempts).toMatchObject([{ outcome: 'failed', reason, http_status: null }, { outcome: 'delivered' }]);
  });
});

describe('a secret that is replaced', () => {
  it('signs beside the new one until it expires, and not at all after a leak', async () => {
    const person = await service.human();
    const path = freshPath();
    const first = await subscribe(person, receiver.urlOf(path));
    const rotate = async (body?: object) =>
      (await person.call('POST', `${webhooks}/${first.id}/rotate-secret`, body)).data as { secret: string };
    const second = await rotate();
    await tell(service, person);
    const [both] = await receiver.until(path, 1);
    if (both === undefined) throw new Error('nothing came');
    verified(both, first.secret);
    verified(both, second.secret);
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const third = await rotate({ immediately: true });
    await tell(service, person);
    const [, one] = await receiver.until(path, 2);
    if (one === undefined) throw new Error('nothing came');
    verified(one, third.secret);
    expect(() => verified(one, second.secret)).toThrow('No matching signature');
  });
});

describe('a test', () => {
  it('is sent at once, signed, and tried once; what came of it stands in the log', async () => {
    const person = await service.human();
    const path = freshPath();
    const { id, secret } = await subscribe(person, receiver.urlOf(path));
    const sent = await person.call('POST', `${webhooks}/${id}/test`);
    expect(sent).toMatchObject({
      status: 201,
      data: { status: 'pending', event_type: 'webhook.test', event_seq: null },
    });
    const [received] = await receiver.until(path, 1);
    if (received === undefined) throw new Error('nothing came');
    expect(verified(received, secret)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    receiver.answer(path, 500);
    await person.call('POST', `${webhooks}/${id}/test`);
    await receiver.until(path, 2);
    const ended = await untilEnded(person, id, 2);
    expect(ended.map(({ status, attempt_count }) => ({ status, attempt_count }))).toEqual([
      { status: 'failed', attempt_count: 1 },
      { status: 'delivered', attempt_count: 1 },
    ]);
    expect(await readWebhook(person, id)).toMatchObject({ status: 'enabled', failing_since: null });
  });

  it('by the same key is sent once', async () => {
    const agent = await service.agent();
    const path = freshPath();
    const { id } = await subscribe(agent, receiver.urlOf(path));
    const key = { 'idempotency-key': 'one-test' };
    const [first, again] = [
      await agent.call('POST', `${webhooks}/${id}/test`, undefined, key),
      await agent.call('POST', `${webhooks}/${id}/test`, undefined, key),
    ];
    expect(again.data.id).toBe(first.data.id);
    await untilEnded(agent, id, 1);
    expect(receiver.received(path)).toHaveLength(1);
  });
});

describe('a delivery that has ended', () => {
  it('is sent again, the same bytes under the same id, as often as its owner asks', async () => {
    const { person, id, path, detail, secret } = await receivedOf([], 1);
    const address = `${webhooks}/${id}/deliveries/${String(detail['id'])}/resend`;
    for (let count = 2; count <= 3; count += 1) {
      expect(await person.call('POST', address)).toMatchObject({ status: 200, data: { status: 'pending' } });
      const received = await receiver.until(path, count);
      expect(received.at(-1)?.body).toBe(detail['body']);
      expect(received.at(-1)?.headers['webhook-id']).toBe(detail['id']);
      for (const one of received) verified(one, secret);
      expect(await untilEnded(person, id, 1)).toMatchObject([{ status: 'delivered', attempt_count: count }]);
    }
  });

  it('is not sent again while it is under way', async () => {
    const person = await service.human();
    const path = freshPath();
    receiver.answer(path, { status: 503, headers: { 'retry-after': '3600' } });
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person);
    await receiver.until(path, 1);
    const [delivery] = await deliveriesOf(person, id);
    const reply = await person.call('POST', `${webhooks}/${id}/deliveries/${String(delivery?.['id'])}/resend`);
    expect(reply).toMatchObject({ status: 409, code: 4093, data: { status: 'pending' } });
  });
});

describe('the log of deliveries', () => {
  it('is paged, newest first, and filtered by status and type', async () => {
    const person = await service.human();
    const path = freshPath();
    receiver.answer(path, (ordinal) => (ordinal === 1 ? 410 : 204));
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person, 'transaction.frozen');
    await untilEnded(person, id, 1);
    await person.call('PUT', `${webhooks}/${id}`, { status: 'enabled' });
    for (let count = 2; count <= 4; count += 1) {
      await tell(service, person);
      await untilEnded(person, id, count);
    }
    const page = async (query: string) => (await person.call('GET', `${webhooks}/${id}/deliveries?${query}`)).data;
    expect(await page('page_size=3')).toMatchObject({ total: 4, page: 1, has_more: true, items: [{}, {}, {}] });
    const second = await page('page_size=3&page=2');
    expect(second).toMatchObject({ has_more: false, items: [{ event_type: 'transaction.frozen', status: 'failed' }] });
    expect((await page('status=delivered')).total).toBe(3);
    expect((await page('event_type=transaction.frozen')).items).toEqual(second.items);
    expect((await page('status=pending')).items).toEqual([]);
  });

  it('has what the relay took together in the order of the feed, newest first', async () => {
    const person = await service.human();
    const { id } = await subscribe(person, receiver.urlOf(freshPath()));
    await service.em.transactional(async (em) => {
      const event = { type: 'test.event', actorType: 'system', actorUserId: null, data: {}, at: new Date() };
      for (let count = 0; count < 8; count += 1) await appendEvent(em, { ...event, audience: [person.userId] });
    });
    await untilEnded(person, id, 8);
    const { items } = (await person.call('GET', `${webhooks}/${id}/deliveries`)).data;
    const seqs = items.map(({ event_seq }: { event_seq: string }) => Number(event_seq));
    expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => b - a));
  });
});
