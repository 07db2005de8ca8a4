import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { moneyOf, openCallMarket, sell } from './invoke.ts';
import { publish, type Data } from './purchase.ts';

let service: Service;
let server: SellerProcess;
beforeAll(async () => {
  [service, server] = await Promise.all([startService(), startSeller()]);
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

const open = () => openCallMarket(service, server);
const pathOf = (id: string, name: string) => `/api/v1/capabilities/${id}/${name}`;

describe.concurrent('a test of a callback', () => {
  it('calls the address once, signed and marked as a test, and tells what came', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    const tested = await market.seller.call('POST', pathOf(id, 'test-callback'), { input: { a: 1 } });
    expect(tested, tested.text).toMatchObject({
      code: 0,
      data: { outcome: 'answered', reason: null, http_status: 200, result: { echo: { a: 1 } } },
    });
    expect(await server.calls({ capabilityId: id })).toMatchObject([{ verified: true, test: true, input: { a: 1 } }]);
    const listed = await market.seller.call('GET', pathOf(id, 'deliveries'));
    const delivery = { id: (tested.data as Data)['delivery_id'], test: true, transaction_id: null, attempt: 1 };
    expect(listed.data).toMatchObject({ total: 1, items: [{ ...delivery, outcome: 'answered', http_status: 200 }] });
    expect(await moneyOf(market)).toEqual(['100.00', '0.00', '0.00']);
  });

  it.each([
    ['/refuse?status=418', 'refused', 'http_4xx', 418],
    ['/broken?status=503', 'failed', 'http_5xx', 503],
    ['/invalid-json', 'refused', 'not_json_object', 200],
    ['/later', 'accepted', null, 202],
    ['/hang', 'timed_out', null, null],
  ])('of %s succeeds in telling what is wrong, without another attempt', async (path, outcome, reason, http_status) => {
    const market = await open();
    const id = await sell(market, path);
    const tested = await market.seller.call('POST', pathOf(id, 'test-callback'), {});
    expect(tested, tested.text).toMatchObject({ code: 0, data: { outcome, reason, http_status, result: null } });
    expect(await server.calls({ capabilityId: id })).toHaveLength(1);
  });

  it('with the same key tells the same, and does not call again', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    const header = { 'idempotency-key': randomUUID() };
    const first = await market.seller.call('POST', pathOf(id, 'test-callback'), {}, header);
    const again = await market.seller.call('POST', pathOf(id, 'test-callback'), {}, header);
    expect(again.data).toEqual(first.data);
    await service.em.execute('delete from idempotency_record where user_id = ?', [market.seller.userId]);
    const later = await market.seller.call('POST', pathOf(id, 'test-callback'), {}, header);
    expect(later.data).toEqual(first.data);
    expect(await server.calls({ capabilityId: id })).toHaveLength(1);
  });

  it('is for the owner, of a capability that has an address', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    expect(await market.buyer.call('POST', pathOf(id, 'test-callback'), {})).toMatchObject({ status: 403, code: 4030 });
    const hourly = await publish(market.seller, { pricing_model: 'per_hour', callback_url: null });
    expect(await market.seller.call('POST', pathOf(hourly, 'test-callback'), {})).toMatchObject({ code: 4093 });
  });

  it('is limited to ten a minute', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    const asked = Array.from({ length: 12 }, () => market.seller.call('POST', pathOf(id, 'test-callback'), {}));
    const codes = (await Promise.all(asked)).map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).toHaveLength(10);
    expect(codes.filter((code) => code === 4290)).toHaveLength(2);
  });
});
