import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balances, buyUpTo, openMarket, publish, buy, act, type Data, type Market } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';
import { skipTime } from './time.ts';

const hourMs = 3_600_000;
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

/** Hours between two times of a record. */
function hoursBetween(record: Data, from: string, to: string): number {
  return Math.round((Date.parse(String(record[to])) - Date.parse(String(record[from]))) / hourMs);
}

describe('on the real server, with its clock skipping the days', () => {
  it.each([
    ['pending', 'cancelled_by_buyer', 'freeze_timeout', 'created_at', 24, '100.00', '0.00'],
    ['frozen', 'rejected_by_seller', 'acceptance_timeout', 'frozen_at', 48, '100.00', '0.00'],
    ['accepted', 'rejected_by_seller', 'delivery_timeout', 'accepted_at', 72, '100.00', '0.00'],
    ['delivered', 'settled', 'auto_confirmed', 'delivered_at', 72, '90.00', '10.00'],
    ['disputed', 'cancelled_by_buyer', 'dispute_timeout', 'disputed_at', 720, '100.00', '0.00'],
  ] as const)(
    '%s ends as %s (%s) when its deadline passes',
    async (status, end, reason, since, hours, buyer, seller) => {
      const id = await buyUpTo(market, status);
      const record = await skipTime(service, id);
      expect(record).toMatchObject({ status: end, status_reason: reason });
      expect(hoursBetween(record, since, 'updated_at')).toBe(hours);
      expect((await market.buyer.call('GET', `/api/v1/transactions/${id}`)).data).toEqual(record);
      expect(await balances(market)).toEqual({ buyer, frozen: '0.00', seller });
    },
  );

  it('the delivery of booked hours has them and a day more', async () => {
    const hourly = {
      ...market,
      capabilityId: await publish(market.seller, { pricing_model: 'per_hour', price_ut: '1' }),
    };
    const id = await buy(hourly, { booked_hours: 10 });
    await act(market.buyer, id, 'freeze');
    const accepted = (await act(market.seller, id, 'accept')).data as Data;
    expect(hoursBetween(accepted, 'accepted_at', 'delivery_deadline')).toBe(34);
  });

  it('an operation that moves the deadline closer replaces the timer', async () => {
    const soon = await startService({ AUTO_CONFIRM_AFTER: '1s', DELIVERY_TIMEOUT: '72h' });
    try {
      const near = await openMarket(soon);
      const id = await buyUpTo(near, 'delivered');
      const record = (await soon.temporal.workflow.result(`transaction/${id}`)) as Data;
      expect(record).toMatchObject({ status: 'settled', status_reason: 'auto_confirmed', confirmed_at: null });
      expect(await balances(near)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
    } finally {
      await soon.close();
    }
  });
});
