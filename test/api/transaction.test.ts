import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { act, balances, buy, buyUpTo, openMarket, publish, type Data, type Market } from './purchase.ts';

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

describe('the main chain', () => {
  it('moves the price from the buyer over frozen to the seller, and shows each time', async () => {
    const id = await buy(market);
    expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
    const frozen = (await act(market.buyer, id, 'freeze')).data as Data;
    expect(frozen).toMatchObject({
      status: 'frozen',
      price_ut: '10.00',
      frozen_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
    });
    expect(frozen['acceptance_deadline']).not.toBeNull();
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
    const accepted = (await act(market.seller, id, 'accept')).data as Data;
    expect(accepted).toMatchObject({ status: 'accepted', delivery_deadline: expect.any(String) as string });
    const delivered = (await act(market.seller, id, 'deliver', { result_payload: { answer: 42 } })).data as Data;
    expect(delivered).toMatchObject({ status: 'delivered', result_payload: { answer: 42 } });
    expect(Date.parse(String(delivered['auto_confirm_at']))).toBeGreaterThan(Date.now());
    const settled = (await act(market.buyer, id, 'confirm')).data as Data;
    expect(settled).toMatchObject({ status: 'settled', confirmed_at: settled['settled_at'] });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
    expect(await service.wallet(market.seller)).toMatchObject({ earned_ut: '10.00' });
    expect(await service.wallet(market.buyer)).toMatchObject({ spent_ut: '10.00' });
    expect((await market.buyer.call('GET', `/api/v1/transactions/${id}`)).data).toEqual(settled);
    const capability = (await market.buyer.call('GET', `/api/v1/capabilities/${market.capabilityId}`)).data as Data;
    expect(capability['total_sold']).toBe(1);
  });

  it.each([
    ['pending', 'buyer', 'cancel', 'cancelled_by_buyer'],
    ['frozen', 'buyer', 'cancel', 'cancelled_by_buyer'],
    ['frozen', 'seller', 'reject', 'rejected_by_seller'],
    ['accepted', 'seller', 'reject', 'rejected_by_seller'],
    ['disputed', 'seller', 'reject', 'rejected_by_seller'],
  ] as const)('from %s the %s may %s, and the whole price goes back', async (status, who, operation, end) => {
    const id = await buyUpTo(market, status);
    expect((await act(market[who], id, operation)).data).toMatchObject({ status: end });
    expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  });

  it('ends a dispute by the buyer who withdraws it', async () => {
    const id = await buyUpTo(market, 'disputed');
    expect((await market.buyer.call('GET', `/api/v1/transactions/${id}`)).data).toMatchObject({
      auto_confirm_at: null,
    });
    expect((await act(market.buyer, id, 'confirm')).data).toMatchObject({ status: 'settled' });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  });

  it.each([
    [{ outcome: 'settle' }, 'settled', { buyer: '90.00', frozen: '0.00', seller: '10.00' }],
    [{ outcome: 'refund' }, 'cancelled_by_buyer', { buyer: '100.00', frozen: '0.00', seller: '0.00' }],
    [{ outcome: 'split', seller_share_ut: '2.5' }, 'settled', { buyer: '97.50', frozen: '0.00', seller: '2.50' }],
  ] as const)('lets an admin resolve a dispute with %j', async (resolution, status, expected) => {
    const id = await buyUpTo(market, 'disputed');
    const path = `/api/v1/admin/transactions/${id}/resolve`;
    expect((await market.buyer.call('POST', path, { ...resolution, note: 'n' })).code).toBe(4030);
    expect((await service.admin.call('POST', path, { ...resolution, note: 'n' })).data).toMatchObject({ status });
    expect(await balances(market)).toEqual(expected);
  });

  it('refuses a split that is larger than the price, naming the field, and moves nothing', async () => {
    const id = await buyUpTo(market, 'disputed');
    const body = { outcome: 'split', seller_share_ut: '10.01', note: 'n' };
    const answer = await service.admin.call('POST', `/api/v1/admin/transactions/${id}/resolve`, body);
    expect(answer).toMatchObject({ code: 4000, data: { errors: [{ path: 'seller_share_ut' }] } });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });

  it('goes back to accepted when the buyer asks for changes', async () => {
    const id = await buyUpTo(market, 'delivered');
    expect((await act(market.buyer, id, 'request-changes', { note: 'sources, please' })).data).toMatchObject({
      status: 'accepted',
      status_reason: 'changes_requested',
      delivered_at: null,
    });
  });

  it('accepts by itself where the price reaches auto_accept_min_ut', async () => {
    market = { ...market, capabilityId: await publish(market.seller, { auto_accept_min_ut: '10' }) };
    const id = await buy(market);
    expect((await act(market.buyer, id, 'freeze')).data).toMatchObject({
      status: 'accepted',
      status_reason: 'auto_accepted',
    });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });
});

describe('a refusal', () => {
  it('in the wrong status says status and allowed operations, and changes nothing', async () => {
    const id = await buyUpTo(market, 'frozen');
    const answer = await act(market.buyer, id, 'confirm');
    expect(answer).toMatchObject({
      status: 409,
      code: 4090,
      data: { status: 'frozen', allowed_operations: ['cancel'] },
    });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });

  it('after the end says the same, whatever operation is asked', async () => {
    const id = await buyUpTo(market, 'settled');
    for (const operation of ['freeze', 'confirm', 'cancel']) {
      const answer = await act(market.buyer, id, operation);
      expect(answer).toMatchObject({ code: 4090, data: { status: 'settled', allowed_operations: [] } });
    }
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  });

  it('of the wrong party is 4031 and shows no field of the transaction', async () => {
    const stranger = await service.human();
    const id = await buyUpTo(market, 'frozen');
    expect((await act(market.buyer, id, 'accept')).code).toBe(4031);
    for (const answer of [
      await act(stranger, id, 'accept'),
      await act(stranger, id, 'cancel'),
      await stranger.call('GET', `/api/v1/transactions/${id}`),
    ]) {
      expect(answer).toMatchObject({ status: 403, code: 4031, data: null });
    }
    const ended = await buyUpTo(market, 'settled');
    expect(await act(stranger, ended, 'confirm')).toMatchObject({ code: 4031, data: null });
  });

  it('of too little balance is 4020 with both amounts, and the transaction can still be frozen later', async () => {
    const poor = { ...market, buyer: await service.human() };
    const id = await buy(poor);
    const answer = await act(poor.buyer, id, 'freeze');
    expect(answer).toMatchObject({ status: 402, code: 4020, data: { available_ut: '0.00', required_ut: '10.00' } });
    await service.credit(poor.buyer, '10');
    expect((await act(poor.buyer, id, 'freeze')).data).toMatchObject({ status: 'frozen' });
    expect(await balances(poor)).toMatchObject({ buyer: '0.00', frozen: '10.00' });
  });

  it.each([
    [{}, 'capability_id'],
    [{ capability_id: 'x' }, 'capability_id'],
    [{ price_ut: '1' }, 'price_ut'],
    [{ buyer_user_id: '019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d' }, 'buyer_user_id'],
    [{ booked_hours: 0 }, 'booked_hours'],
    [{ booked_hours: 2 }, 'booked_hours'],
  ])('names the field of a wrong body: %j', async (body, path) => {
    const full = path === 'capability_id' ? body : { capability_id: market.capabilityId, ...body };
    const answer = await market.buyer.call('POST', '/api/v1/transactions', full);
    expect(answer).toMatchObject({ status: 422, code: 4000 });
    expect(((answer.data as Data)['errors'] as Data[]).map((error) => error['path'])).toContain(path);
  });

  it('of the own capability is 4035, of an unknown one 4040, of an unavailable one 4093', async () => {
    const own = await market.seller.call('POST', '/api/v1/transactions', { capability_id: market.capabilityId });
    expect(own).toMatchObject({ status: 403, code: 4035 });
    const unknown = await market.buyer.call('POST', '/api/v1/transactions', { capability_id: crypto.randomUUID() });
    expect(unknown.code).toBe(4040);
    await market.seller.call('PUT', `/api/v1/capabilities/${market.capabilityId}`, { available: false });
    const gone = await market.buyer.call('POST', '/api/v1/transactions', { capability_id: market.capabilityId });
    expect(gone.code).toBe(4093);
  });

  it('of an unknown transaction is 4040, for reads and operations alike', async () => {
    const id = crypto.randomUUID();
    expect((await act(market.buyer, id, 'freeze')).code).toBe(4040);
    expect((await market.buyer.call('GET', `/api/v1/transactions/${id}`)).code).toBe(4040);
  });
});

describe('at once and again', () => {
  it('one of many simultaneous operations wins and the others are refused; the money moves once', async () => {
    const id = await buyUpTo(market, 'delivered');
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(market.buyer, id, 'confirm')));
    expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([0, 4090, 4090, 4090, 4090, 4090]);
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  });

  it('a cancel and an accept at once: exactly one happens, and the money agrees with it', async () => {
    const id = await buyUpTo(market, 'frozen');
    const [cancel, accept] = await Promise.all([act(market.buyer, id, 'cancel'), act(market.seller, id, 'accept')]);
    expect([cancel.code, accept.code].toSorted((a, b) => a - b)).toEqual([0, 4090]);
    const cancelled = cancel.code === 0;
    expect(await balances(market)).toMatchObject({
      buyer: cancelled ? '100.00' : '90.00',
      frozen: cancelled ? '0.00' : '10.00',
    });
  });

  it('the price cannot be frozen twice by two transactions over the same balance', async () => {
    const big = { ...market, capabilityId: await publish(market.seller, { price_ut: '60' }) };
    const ids = [await buy(big), await buy(big)];
    const answers = await Promise.all(ids.map((id) => act(market.buyer, id, 'freeze')));
    expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([0, 4020]);
    expect(await balances(market)).toMatchObject({ buyer: '40.00', frozen: '60.00' });
  });

  it('the same key makes one transaction and one freeze, also at once, also after the end', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const body = { capability_id: market.capabilityId };
    const first = await market.buyer.call('POST', '/api/v1/transactions', body, key);
    const again = await market.buyer.call('POST', '/api/v1/transactions', body, key);
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const id = String((first.data as Data)['id']);
    const freezeKey = { 'idempotency-key': crypto.randomUUID() };
    const freezes = await Promise.all(
      Array.from({ length: 4 }, () => act(market.buyer, id, 'freeze', undefined, freezeKey)),
    );
    expect(freezes.filter((answer) => answer.code === 0).length).toBeGreaterThanOrEqual(1);
    expect(freezes.every((answer) => answer.code === 0 || answer.code === 4091)).toBe(true);
    expect((await act(market.buyer, id, 'freeze', undefined, freezeKey)).headers.get('idempotent-replayed')).toBe(
      'true',
    );
    await act(market.buyer, id, 'cancel');
    expect((await market.buyer.call('POST', '/api/v1/transactions', body, key)).data).toEqual(first.data);
    expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  });

  it('a key of another operation or body is 4092', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const id = await buyUpTo(market, 'pending');
    expect((await act(market.buyer, id, 'freeze', undefined, key)).code).toBe(0);
    expect((await act(market.buyer, id, 'cancel', undefined, key)).code).toBe(4092);
    expect(await balances(market)).toMatchObject({ frozen: '10.00' });
  });

  it('a refusal is replayed to the same key, and a new key tries anew', async () => {
    const poor = { ...market, buyer: await service.human() };
    const id = await buy(poor);
    const key = { 'idempotency-key': crypto.randomUUID() };
    expect((await act(poor.buyer, id, 'freeze', undefined, key)).code).toBe(4020);
    await service.credit(poor.buyer, '10');
    const again = await act(poor.buyer, id, 'freeze', undefined, key);
    expect([again.code, again.headers.get('idempotent-replayed')]).toEqual([4020, 'true']);
    expect((await act(poor.buyer, id, 'freeze')).code).toBe(0);
  });
});

const idsOf = (page: Data) => (page['items'] as Data[]).map((item) => item['id']);

describe('price and lists', () => {
  it('is the unit price times booked_hours for per_hour, which must be given', async () => {
    const hourly = {
      ...market,
      capabilityId: await publish(market.seller, { pricing_model: 'per_hour', price_ut: '1.25' }),
    };
    const missing = await market.buyer.call('POST', '/api/v1/transactions', { capability_id: hourly.capabilityId });
    expect(missing).toMatchObject({ code: 4000, data: { errors: [{ path: 'booked_hours' }] } });
    const id = await buy(hourly, { booked_hours: 3 });
    const read = (await market.seller.call('GET', `/api/v1/transactions/${id}`)).data;
    expect(read).toMatchObject({ price_ut: '3.75', booked_hours: 3, transaction_type: 'per_hour', origin: 'purchase' });
  });

  it('keeps the price of the moment of purchase', async () => {
    const id = await buy(market);
    await market.seller.call('PUT', `/api/v1/capabilities/${market.capabilityId}`, { price_ut: '99' });
    expect((await act(market.buyer, id, 'freeze')).data).toMatchObject({ price_ut: '10.00' });
  });

  it('lists only the own transactions, by role and status, in pages', async () => {
    const ids = [await buy(market), await buyUpTo(market, 'frozen'), await buyUpTo(market, 'frozen')];
    const list = async (person: typeof market.buyer, query: string) =>
      (await person.call('GET', `/api/v1/transactions${query}`)).data as Data;
    expect(idsOf(await list(market.buyer, ''))).toEqual(ids.toReversed());
    expect(await list(market.buyer, '?page_size=2')).toMatchObject({ total: 3, page: 1, page_size: 2, has_more: true });
    expect(idsOf(await list(market.buyer, '?page=2&page_size=2'))).toEqual([ids[0]]);
    expect(idsOf(await list(market.buyer, '?status=frozen'))).toEqual([ids[2], ids[1]]);
    expect(await list(market.buyer, '?role=seller')).toMatchObject({ total: 0, has_more: false });
    expect(await list(market.seller, '?role=seller')).toMatchObject({ total: 3 });
    expect(await list(await service.human(), '')).toMatchObject({ total: 0, items: [] });
    expect((await market.buyer.call('GET', '/api/v1/transactions?page=0')).code).toBe(4000);
    expect((await market.buyer.call('GET', '/api/v1/transactions?page_size=101')).code).toBe(4000);
    expect((await market.buyer.call('GET', '/api/v1/transactions?status=lost')).code).toBe(4000);
  });
});
