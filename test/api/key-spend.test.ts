import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveSpend } from '../../domain/store/api-key-spend.store.ts';
import { startService, type AgentPerson, type Person, type Reply, type Service } from '../harness.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { invoke, openCallMarket, sell } from './invoke.ts';
import { holderOf, keyOf, type LimitedKey } from './limited-key.ts';
import { act, balances, buy, publish, type Data, type Market } from './purchase.ts';

let service: Service;
let server: SellerProcess;
let otherNode: string;

beforeAll(async () => {
  [service, server] = await Promise.all([startService({ LOG_LEVEL: 'silent' }), startSeller()]);
  otherNode = await service.anotherNode();
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

interface AgentMarket extends Market {
  readonly buyer: AgentPerson;
}

/** An agent with 100 UT and a capability for 10 UT. */
async function open(): Promise<AgentMarket> {
  const [buyer, seller] = [await service.agent(), await service.human()];
  await service.credit(buyer, '100');
  return { service, buyer, seller, capabilityId: await publish(seller) };
}

const times = (count: number, code: number) => Array<number>(count).fill(code);
const codes = (replies: readonly Reply[]) => replies.map(({ code }) => code).toSorted((a, b) => a - b);
const holding = (person: Person, key: Pick<LimitedKey, 'call'>): Person => ({ ...person, call: key.call });
const freeze = async (market: AgentMarket, key: Pick<LimitedKey, 'call'>, id: string, idempotencyKey?: string) =>
  await act(
    holding(market.buyer, key),
    id,
    'freeze',
    undefined,
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  );
const raise = async (key: LimitedKey, daily_spend_limit_ut: string | null) =>
  await service.admin.call('PUT', `/api/v1/admin/keys/${key.id}`, { daily_spend_limit_ut });
const buyMany = async (market: AgentMarket, count: number) =>
  await Promise.all(Array.from({ length: count }, async () => await buy(market)));

describe.concurrent('the daily limit of a key', () => {
  it('refuses the freeze that would go beyond it, says so, and moves nothing', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '25' });
    const [first = '', second = '', third = ''] = await buyMany(market, 3);
    expect(codes([await freeze(market, key, first), await freeze(market, key, second)])).toEqual([0, 0]);
    const idempotencyKey = randomUUID();
    const refused = await freeze(market, key, third, idempotencyKey);
    expect(refused).toMatchObject({ status: 429, code: 4291, data: { limit_ut: '25.00', spent_ut: '20.00' } });
    expect(refused.message).toContain('API key');
    const { retry_after_sec: waitSec } = refused.data as { retry_after_sec: number };
    expect(Math.abs(waitSec * 1_000 - (new Date().setUTCHours(24, 0, 0, 0) - Date.now()))).toBeLessThan(10_000);
    expect(refused.headers.get('retry-after')).toBe(String(waitSec));
    expect(await balances(market)).toEqual({ buyer: '80.00', frozen: '20.00', seller: '0.00' });
    // The refusal is not stored: the same request goes through once there is room.
    await raise(key, '30');
    expect((await freeze(market, key, third, idempotencyKey)).code).toBe(0);
    expect(await balances(market)).toEqual({ buyer: '70.00', frozen: '30.00', seller: '0.00' });
  });

  it('is exact under concurrency and across nodes', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '39.99' });
    const ids = await buyMany(market, 9);
    const elsewhere = { call: key.callAt(otherNode) };
    const replies = await Promise.all(ids.map((id, index) => freeze(market, index % 2 === 0 ? key : elsewhere, id)));
    expect(codes(replies)).toEqual([...times(3, 0), ...times(6, 4291)]);
    expect(await balances(market)).toEqual({ buyer: '70.00', frozen: '30.00', seller: '0.00' });
  });

  it('lets one in where many ask in the same instant for what is left', async () => {
    const agent = await service.agent();
    const key = await keyOf(service, agent, { daily_spend_limit_ut: '10' });
    for (let round = 1; round <= 10; round += 1) {
      const ask = async () =>
        await reserveSpend(service.em, {
          apiKeyId: key.id,
          userId: agent.userId,
          transactionId: randomUUID(),
          request: randomUUID(),
          amountUt: '1',
        });
      await raise(key, String(round));
      const answers = await Promise.all(Array.from({ length: 10 }, ask));
      expect(answers.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(1);
    }
  });

  it('counts a transaction once, however often and on however many nodes it is asked', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '20' });
    const [first = '', second = '', third = ''] = await buyMany(market, 3);
    const elsewhere = { call: key.callAt(otherNode) };
    const same = randomUUID();
    const atOnce = await Promise.all(
      [key, elsewhere, key, elsewhere].map((one, index) => freeze(market, one, first, index < 2 ? same : randomUUID())),
    );
    expect(atOnce.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(
      atOnce.every(({ code }) => [0, 4090, 4091].includes(code)),
      JSON.stringify(codes(atOnce)),
    ).toBe(true);
    expect((await freeze(market, key, first)).code).toBe(4090);
    expect(codes([await freeze(market, key, second), await freeze(market, key, third)])).toEqual([0, 4291]);
    expect(await balances(market)).toEqual({ buyer: '80.00', frozen: '20.00', seller: '0.00' });
  });

  it('gives back what a refused freeze took, and not what was frozen and cancelled', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '200' });
    const dear = await publish(market.seller, { price_ut: '150' });
    const tooDear = await buy({ ...market, capabilityId: dear });
    expect((await freeze(market, key, tooDear)).code).toBe(4020);
    const id = await buy(market);
    await raise(key, '10');
    expect((await freeze(market, key, id)).code).toBe(0);
    expect((await act(holding(market.buyer, key), id, 'cancel')).code).toBe(0);
    expect(await freeze(market, key, await buy(market))).toMatchObject({ code: 4291, data: { spent_ut: '10.00' } });
    expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  });

  it('that is set during the day holds for what was spent before, and ends with the day', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, {});
    const [first = '', second = '', third = ''] = await buyMany(market, 3);
    expect((await freeze(market, key, first)).code).toBe(0);
    await raise(key, '15');
    expect((await freeze(market, key, second)).code).toBe(4291);
    // A day passes.
    await service.em.execute(`update api_key_spend set day = day - 1 where family_id = ?`, [key.id]);
    expect(codes([await freeze(market, key, second), await freeze(market, key, third)])).toEqual([0, 4291]);
    expect(await balances(market)).toEqual({ buyer: '80.00', frozen: '20.00', seller: '0.00' });
  });

  it("is the key's alone: neither another key nor the person uses it up or is held by it; of zero it allows nothing", async () => {
    const market = await open();
    const [none, free] = [
      await keyOf(service, market.buyer, { daily_spend_limit_ut: '0' }),
      await keyOf(service, market.buyer, { daily_spend_limit_ut: '10' }),
    ];
    const [first = '', second = ''] = await buyMany(market, 2);
    expect((await freeze(market, none, first)).code).toBe(4291);
    const token = await service.secrets.accessTokens.sign({ id: market.buyer.userId, roles: ['user'] }, new Date());
    const asPerson = await service.call('POST', `/api/v1/transactions/${first}/freeze`, undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(asPerson.code).toBe(0);
    expect((await freeze(market, free, second)).code).toBe(0);
    const gift = await buy({ ...market, capabilityId: await publish(market.seller, { price_ut: '0' }) });
    expect((await freeze(market, none, gift)).code).toBe(0);
  });

  it('is not used up by freezing what belongs to somebody else, or nobody', async () => {
    const [market, stranger] = [await open(), await open()];
    const key = await keyOf(service, stranger.buyer, { daily_spend_limit_ut: '10' });
    expect((await freeze(stranger, key, await buy(market))).code).toBe(4031);
    expect((await freeze(stranger, key, randomUUID())).code).toBe(4040);
    expect((await freeze(stranger, key, await buy(stranger))).code).toBe(0);
  });

  it('goes on with the successor of a key that is rotated', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '20' });
    const ids = await buyMany(market, 4);
    expect((await freeze(market, key, ids[0] ?? '')).code).toBe(0);
    const rotated = await service.admin.call('POST', `/api/v1/admin/keys/${key.id}/rotate`);
    const successor = holderOf(service, market.buyer, rotated.data as Data);
    const replies = await Promise.all(
      ids.slice(1).map((id, index) => freeze(market, index % 2 === 0 ? successor : key, id)),
    );
    expect(codes(replies)).toEqual([0, 4291, 4291]);
    expect(await balances(market)).toEqual({ buyer: '80.00', frozen: '20.00', seller: '0.00' });
  });
});

describe.concurrent('the daily limit of a key that invokes', () => {
  it('is exact under concurrency and across nodes, and refuses before anything is called or frozen', async () => {
    const market = await openCallMarket(service, server);
    const id = await sell(market, '/fast');
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '35' });
    const holders = [key.call, key.callAt(otherNode)].map((call) => ({ buyer: { ...market.buyer, call } }));
    const replies = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => await invoke(holders[index % 2] ?? market, id)),
    );
    expect(codes(replies)).toEqual([...times(3, 0), ...times(5, 4291)]);
    expect(replies.find(({ code }) => code === 4291)?.data).toMatchObject({ limit_ut: '35.00', spent_ut: '30.00' });
    expect(await server.calls({ capabilityId: id })).toHaveLength(3);
    expect(await balances({ ...market, capabilityId: id })).toEqual({
      buyer: '70.00',
      frozen: '0.00',
      seller: '30.00',
    });
  });

  it('counts what was called and failed, not what was refused, and a retry once', async () => {
    const market = await openCallMarket(service, server);
    const [good, failing] = [await sell(market, '/fast'), await sell(market, '/refuse?status=400')];
    const [closed, dear] = [
      await sell(market, '/fast', { daily_limit: 1, price_ut: '0' }),
      await sell(market, '/fast', { price_ut: '500' }),
    ];
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '520' });
    const holder = { buyer: { ...market.buyer, call: key.call } };
    expect((await invoke(holder, dear)).code).toBe(4020);
    expect((await invoke(holder, closed)).code).toBe(0);
    await market.seller.call('PUT', `/api/v1/capabilities/${closed}`, { price_ut: '10' });
    expect((await invoke(holder, closed)).code).toBe(4291);
    await raise(key, '20');
    const same = randomUUID();
    expect(codes([await invoke(holder, good, {}, same), await invoke(holder, good, {}, same)])).toEqual([0, 0]);
    expect((await invoke(holder, failing)).code).toBe(5020);
    expect(await invoke(holder, good)).toMatchObject({ code: 4291, data: { limit_ut: '20.00', spent_ut: '20.00' } });
    expect(await balances({ ...market, capabilityId: good })).toEqual({
      buyer: '90.00',
      frozen: '0.00',
      seller: '10.00',
    });
  });
});

describe('invocations beyond the money', () => {
  it('by many at once count for those that were made', async () => {
    const market = await openCallMarket(service, server);
    const [dear, cheap] = [await sell(market, '/fast', { price_ut: '60' }), await sell(market, '/fast')];
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '1000' });
    const holder = { buyer: { ...market.buyer, call: key.call } };
    const replies = await Promise.all(Array.from({ length: 6 }, async () => await invoke(holder, dear)));
    expect(codes(replies)).toEqual([0, ...times(5, 4020)]);
    await raise(key, '70');
    expect(codes([await invoke(holder, cheap), await invoke(holder, cheap)])).toEqual([0, 4291]);
    expect(await balances({ ...market, capabilityId: dear })).toEqual({
      buyer: '30.00',
      frozen: '0.00',
      seller: '70.00',
    });
  });
});

describe('an outcome that is not known', () => {
  it('stays counted, and the retry that learns it is not counted again', async () => {
    const market = await open();
    const key = await keyOf(service, market.buyer, { daily_spend_limit_ut: '10' });
    const [first = '', second = ''] = await buyMany(market, 2);
    await service.stopWorker();
    const same = randomUUID();
    expect((await freeze(market, key, first, same)).code).toBe(5030);
    expect((await freeze(market, key, second)).code).toBe(4291);
    await service.restartWorker();
    expect((await freeze(market, key, first, same)).code).toBe(0);
    expect((await freeze(market, key, second)).code).toBe(4291);
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });
});
