import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Reply, type Service } from '../harness.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { invoke, moneyOf, openCallMarket, sell } from './invoke.ts';
import type { Data } from './purchase.ts';

let service: Service;
let server: SellerProcess;
let otherNode: string;
beforeAll(async () => {
  [service, server] = await Promise.all([startService(), startSeller()]);
  otherNode = await service.anotherNode();
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

const open = () => openCallMarket(service, server);
const codes = (replies: readonly Reply[]) => replies.map(({ code }) => code).toSorted((a, b) => a - b);
const times = (count: number, code: number) => Array<number>(count).fill(code);

/** Invokes on both nodes at once, in turns. */
async function burst(market: Awaited<ReturnType<typeof open>>, capabilityId: string, count: number): Promise<Reply[]> {
  const elsewhere = { buyer: { ...market.buyer, call: market.buyer.callAt(otherNode) } };
  return await Promise.all(
    Array.from({ length: count }, (_, index) => invoke(index % 2 === 0 ? market : elsewhere, capabilityId)),
  );
}

describe.concurrent('the limits of a capability', () => {
  it('a minute is exact under concurrency and across nodes, and refuses without freezing', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { rate_limit_per_min: 4, price_ut: '1' });
    const replies = await burst(market, id, 14);
    expect(codes(replies)).toEqual([...times(4, 0), ...times(10, 4290)]);
    const refused = replies.find(({ code }) => code === 4290);
    const waitSec = Number((refused?.data as Data | undefined)?.['retry_after_sec']);
    expect(waitSec).toBeGreaterThan(50);
    expect(waitSec).toBeLessThanOrEqual(60);
    expect(refused?.headers.get('retry-after')).toBe(String(waitSec));
    expect(await server.calls({ capabilityId: id })).toHaveLength(4);
    expect(await moneyOf(market)).toEqual(['96.00', '0.00', '4.00']);
  });

  it('a minute slide: what is older than a minute counts no more', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { rate_limit_per_min: 2 });
    expect(codes(await burst(market, id, 3))).toEqual([0, 0, 4290]);
    // A minute passes for the first of the two.
    const first = 'select id from transaction where capability_id = ? order by created_at limit 1';
    const sql = `update transaction set created_at = created_at - interval '61 seconds' where id = (${first})`;
    await service.em.execute(sql, [id]);
    expect(codes(await burst(market, id, 2))).toEqual([0, 4290]);
    expect(await moneyOf(market)).toEqual(['70.00', '0.00', '30.00']);
  });

  it('a day is exact under concurrency and across nodes, and ends at midnight UTC', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { daily_limit: 3, price_ut: '1' });
    const replies = await burst(market, id, 10);
    expect(codes(replies)).toEqual([...times(3, 0), ...times(7, 4291)]);
    const midnightMs = new Date().setUTCHours(24, 0, 0, 0);
    const refused = replies.find(({ code }) => code === 4291)?.data as Data;
    expect(Math.abs(Number(refused['retry_after_sec']) * 1_000 - (midnightMs - Date.now()))).toBeLessThan(10_000);
    await service.em.execute(
      `update transaction set created_at = created_at - interval '1 day' where capability_id = ?`,
      [id],
    );
    expect(codes(await burst(market, id, 4))).toEqual([0, 0, 0, 4291]);
    expect(await moneyOf(market)).toEqual(['94.00', '0.00', '6.00']);
  });

  it('that are set or raised during the day hold at once, for what was invoked before too', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    expect(codes(await burst(market, id, 2))).toEqual([0, 0]);
    const limit = async (daily_limit: number) =>
      await market.seller.call('PUT', `/api/v1/capabilities/${id}`, { daily_limit });
    await limit(2);
    expect((await invoke(market, id)).code).toBe(4291);
    await limit(3);
    expect(codes(await burst(market, id, 2))).toEqual([0, 4291]);
    expect(await moneyOf(market)).toEqual(['70.00', '0.00', '30.00']);
  });

  it('count what was called and failed, and not what was refused', async () => {
    const market = await open();
    const id = await sell(market, '/refuse?status=400', { daily_limit: 2, price_ut: '60' });
    // The second is refused for its price while the first holds the money, or is called after it.
    expect((await invoke(market, id)).code).toBe(5020);
    await market.seller.call('PUT', `/api/v1/capabilities/${id}`, { price_ut: '1000' });
    expect((await invoke(market, id)).code).toBe(4020);
    await market.seller.call('PUT', `/api/v1/capabilities/${id}`, { price_ut: '60' });
    expect((await invoke(market, id)).code).toBe(5020);
    expect((await invoke(market, id)).code).toBe(4291);
    expect(await moneyOf(market)).toEqual(['100.00', '0.00', '0.00']);
  });

  it('let the key of a refused invocation try again later', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { daily_limit: 1 });
    const keys = Array.from({ length: 5 }, (_, index) => `key-${id}-${index}`);
    const replies = await Promise.all(keys.map((key) => invoke(market, id, {}, key)));
    expect(codes(replies)).toEqual([0, ...times(4, 4291)]);
    await market.seller.call('PUT', `/api/v1/capabilities/${id}`, { daily_limit: null });
    const again = await Promise.all(keys.map((key) => invoke(market, id, {}, key)));
    expect(codes(again)).toEqual(times(5, 0));
    expect(await moneyOf(market)).toEqual(['50.00', '0.00', '50.00']);
  });
});
