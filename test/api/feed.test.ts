import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { feedPath, readPage, tell, type FeedPage } from './feed-client.ts';
import { act, buyUpTo, openMarket, type Market } from './purchase.ts';

let service: Service;
let market: Market;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  market = await openMarket(service);
});

const typesOf = (page: FeedPage) => page.items.map(({ type }) => type);

/** The feed has everything some milliseconds after its commit. */
async function until(person: Person, count: number): Promise<FeedPage> {
  await expect.poll(async () => (await readPage(person, { limit: '200' })).items.length).toBe(count);
  return await readPage(person, { limit: '200' });
}

describe('a page of the feed', () => {
  it('has the events of all transactions of the caller, as buyer and as seller, in order', async () => {
    const first = await buyUpTo(market, 'frozen');
    const second = await buyUpTo(market, 'pending');
    await act(market.seller, first, 'reject');
    for (const person of [market.buyer, market.seller]) {
      const { items } = await until(person, 4);
      expect(items.map(({ type, transaction_id }) => [type, transaction_id])).toEqual([
        ['transaction.created', first],
        ['transaction.frozen', first],
        ['transaction.created', second],
        ['transaction.rejected_by_seller', first],
      ]);
      const seqs = items.map(({ seq }) => Number(seq));
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    }
  });

  it('goes on after its last event, so that a walk meets each once', async () => {
    const person = await service.human();
    await tell(service, person, ['a', 'b', 'c', 'd', 'e']);
    await until(person, 5);
    const met: string[] = [];
    let after = '0';
    for (let isMore = true; isMore;) {
      const page = await readPage(person, { after, limit: '2' });
      expect(page.items.length).toBe(page.has_more ? 2 : 1);
      met.push(...typesOf(page));
      isMore = page.has_more;
      after = page.next_after;
    }
    expect(met).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await readPage(person, { after })).toMatchObject({ items: [], has_more: false });
    await tell(service, person, ['f']);
    await expect.poll(async () => typesOf(await readPage(person, { after }))).toEqual(['f']);
  });

  it('is full where exactly as many events are left', async () => {
    const person = await service.human();
    await tell(service, person, ['a', 'b']);
    await until(person, 2);
    expect(await readPage(person, { limit: '2' })).toMatchObject({ has_more: false });
  });

  it('goes on from a place that this node has not reached, without going back', async () => {
    const ahead = '900000000000000000';
    expect(await readPage(market.buyer, { after: ahead })).toEqual({ items: [], next_after: ahead, has_more: false });
  });

  it('tells nobody of what others do, also where they name the transaction', async () => {
    const id = await buyUpTo(market, 'pending');
    await until(market.buyer, 1);
    const stranger = await service.human();
    expect((await readPage(stranger)).items).toEqual([]);
    expect((await readPage(stranger, { transaction_id: id })).items).toEqual([]);
    expect((await readPage(market.seller, { transaction_id: id })).items).toHaveLength(1);
  });

  it('can be narrowed to a transaction and to a type', async () => {
    const first = await buyUpTo(market, 'frozen');
    const second = await buyUpTo(market, 'frozen');
    await until(market.buyer, 4);
    const ofSecond = await readPage(market.buyer, { transaction_id: second });
    expect(typesOf(ofSecond)).toEqual(['transaction.created', 'transaction.frozen']);
    const frozen = await readPage(market.seller, { type: 'transaction.frozen' });
    expect(frozen.items.map((event) => event.transaction_id)).toEqual([first, second]);
    const both = await readPage(market.seller, { type: 'transaction.frozen', transaction_id: second });
    expect(both.items.map((event) => event.transaction_id)).toEqual([second]);
    expect((await readPage(market.seller, { type: 'transaction.frozen', limit: '1' })).has_more).toBe(true);
  });

  it('looks at a bounded number of events to find a type, and says that there are more', async () => {
    const person = await service.human();
    await service.em.execute(
      `insert into event (type, actor_type, audience, data, created_at)
       select case when n = 4100 then 'rare' else 'common' end, 'system', array[?::uuid], '{}', now()
       from generate_series(1, 4100) n`,
      [person.userId],
    );
    await tell(service, person, ['last']);
    const [{ last }] = await service.em.execute<[{ last: string }]>('select max(seq) - 1 as last from event');
    await expect.poll(async () => typesOf(await readPage(person, { after: last }))).toEqual(['last']);
    let after = '0';
    const pages: FeedPage[] = [];
    for (let isMore = true; isMore;) {
      const page = await readPage(person, { after, type: 'rare' });
      pages.push(page);
      isMore = page.has_more;
      after = page.next_after;
    }
    expect(pages.map(({ items, has_more }) => [items.length, has_more])).toEqual([
      [0, true],
      [0, true],
      [1, false],
    ]);
  });

  it('has events that belong to no transaction', async () => {
    const person = await service.human();
    await tell(service, person, ['webhook.disabled'], { reason: 'gone' });
    const { items } = await until(person, 1);
    expect(items).toEqual([
      {
        seq: expect.stringMatching(/^\d+$/) as string,
        type: 'webhook.disabled',
        transaction_id: null,
        step: null,
        operation: null,
        actor_type: 'system',
        actor_user_id: null,
        data: { reason: 'gone' },
        created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
  });

  it('has at most 200 events and refuses what it does not know', async () => {
    const { buyer } = market;
    for (const query of ['limit=0', 'limit=201', 'after=-1', 'after=1.5', 'after=x', 'type=A%20B', 'page=1'])
      expect((await buyer.call('GET', `${feedPath}?${query}`)).code, query).toBe(4000);
    expect((await buyer.call('GET', `${feedPath}?transaction_id=x`)).code).toBe(4000);
    expect((await service.call('GET', feedPath)).code).toBe(4010);
  });

  it('is JSON for whoever can read JSON as well as a stream', async () => {
    const accept = 'application/json, text/event-stream';
    const reply = await market.buyer.call('GET', feedPath, undefined, { accept });
    expect(reply).toMatchObject({ status: 200, code: 0, data: { has_more: false } });
  });
});

const insert = (audience: string, transactionId = 'null') =>
  service.em.execute(
    `insert into event (type, transaction_id, actor_type, audience, data, created_at)
     values ('wrong', ${transactionId}, 'system', ${audience}, '{}', now())`,
  );

describe('the table of events', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((one) => `'${one.repeat(8)}-0000-4000-8000-000000000000'::uuid`);

  it.each([
    ['no audience', `'{}'::uuid[]`],
    ['an audience of three', `array[${a}, ${b}, ${c}]`],
    ['one user twice', `array[${a}, ${a}]`],
    ['nobody in it', `array[${a}, null]`],
    ['an array that does not begin with 1', `'[2:2]={${'a'.repeat(8)}-0000-4000-8000-000000000000}'::uuid[]`],
  ])('refuses %s', async (_, audience) => {
    await expect(insert(audience)).rejects.toThrow(/event_audience/);
  });

  it('refuses an event of a transaction without its step', async () => {
    const id = await buyUpTo(market, 'pending');
    await expect(insert(`array[${a}]`, `'${id}'`)).rejects.toThrow(/event_of_transaction/);
  });
});
