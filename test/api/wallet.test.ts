import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { register } from './capability-offer.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ FEE_RATE: '0.1' });
});
afterAll(async () => await service.close());

const creditPath = (userId: string) => `/api/v1/admin/wallets/${userId}/credit`;
const creditOf = (userId: string, body: unknown, headers?: Record<string, string>) =>
  service.admin.call('POST', creditPath(userId), body, headers);

/** What only an administrator may do. */
function administration(person: Person) {
  return [
    person.call('POST', creditPath(person.userId), { amount_ut: '1', reason: 'mine' }),
    person.call('GET', `/api/v1/admin/wallets/${person.userId}`),
    person.call('GET', '/api/v1/admin/ledger/check'),
  ];
}

describe('the wallet', () => {
  test('of somebody new is empty', async () => {
    const person = await service.human();
    const reply = await person.call('GET', '/api/v1/wallet');
    expect(reply).toMatchObject({ status: 200, code: 0 });
    expect(reply.data).toEqual({
      user_id: person.userId,
      currency: 'UT',
      available_ut: '0.00',
      frozen_ut: '0.00',
      total_ut: '0.00',
      earned_ut: '0.00',
      spent_ut: '0.00',
      updated_at: expect.stringMatching(/Z$/),
    });
    const entries = await person.call('GET', '/api/v1/wallet/entries');
    expect(entries.data).toEqual({ items: [], total: 0, page: 1, page_size: 20, has_more: false });
  });

  test('is for callers of both kinds, and for nobody else', async () => {
    const agent = await service.agent();
    expect((await agent.call('GET', '/api/v1/wallet')).data.user_id).toBe(agent.userId);
    expect(await service.call('GET', '/api/v1/wallet')).toMatchObject({ status: 401, code: 4010 });
    expect(await service.call('GET', '/api/v1/wallet/entries')).toMatchObject({ status: 401, code: 4010 });
  });
});

describe('a credit', () => {
  test('shows in the wallet and in the statement', async () => {
    const person = await service.human();
    const reply = await creditOf(person.userId, { amount_ut: '12.5', reason: 'contract 1' });
    expect(reply).toMatchObject({
      status: 201,
      data: { user_id: person.userId, available_ut: '12.50', total_ut: '12.50' },
    });
    await creditOf(person.userId, { amount_ut: 0.000001, reason: 'contract 2' });
    const seen = await service.admin.call('GET', `/api/v1/admin/wallets/${person.userId}`);
    expect(seen.data).toEqual(await service.wallet(person));
    expect(seen.data).toMatchObject({ available_ut: '12.500001', earned_ut: '0.00' });
    const { data } = await person.call('GET', '/api/v1/wallet/entries');
    expect(data.items).toMatchObject([
      {
        kind: 'credit',
        account: 'available',
        amount_ut: '0.000001',
        balance_after_ut: '12.500001',
        reason: 'contract 2',
      },
      { kind: 'credit', account: 'available', amount_ut: '12.50', balance_after_ut: '12.50', transaction_id: null },
    ]);
    await service.ledgerCheck();
  });

  test('happens once for one idempotency key, however often and at once it is sent', async () => {
    const person = await service.human();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { amount_ut: '5', reason: 'once' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => creditOf(person.userId, body, headers)));
    expect(replies.every((reply) => reply.status === 201 || reply.code === 4091)).toBe(true);
    const again = await creditOf(person.userId, body, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await creditOf(person.userId, { ...body, amount_ut: '6' }, headers)).toMatchObject({ code: 4092 });
    expect(await service.wallet(person)).toMatchObject({ available_ut: '5.00' });
  });

  test('does not happen again when the stored answer is forgotten', async () => {
    const person = await service.human();
    const key = randomUUID();
    const body = { amount_ut: '5', reason: 'once' };
    await creditOf(person.userId, body, { 'idempotency-key': key });
    await service.em.execute('delete from idempotency_record where key = ?', [key]);
    expect(await creditOf(person.userId, body, { 'idempotency-key': key })).toMatchObject({ status: 409, code: 4093 });
    expect(await service.wallet(person)).toMatchObject({ available_ut: '5.00' });
  });

  test('all of many at once arrive', async () => {
    const person = await service.human();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => creditOf(person.userId, { amount_ut: '0.05', reason: 'many' })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await service.wallet(person)).toMatchObject({ available_ut: '1.00' });
    await service.ledgerCheck();
  });

  test.each([
    ['amount_ut', '0'],
    ['amount_ut', '-1'],
    ['amount_ut', '0.0000001'],
    ['amount_ut', 'NaN'],
    ['amount_ut', null],
    ['reason', ''],
    ['reason', 'x'.repeat(201)],
    ['reason', 'a\0'],
    ['currency', 'USD'],
  ])('with %s = %j is refused, naming the field', async (field, value) => {
    const person = await service.human();
    const reply = await creditOf(person.userId, { amount_ut: '1', reason: 'x', [field]: value });
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: field }] } });
    expect(await service.wallet(person)).toMatchObject({ total_ut: '0.00' });
  });

  test('past the largest amount is refused and changes nothing', async () => {
    const person = await service.human();
    const largest = { amount_ut: '99999999999000', reason: 'all there is' };
    expect((await creditOf(person.userId, largest)).status).toBe(201);
    expect(await creditOf(person.userId, largest)).toMatchObject({ status: 422, code: 4000 });
    expect(await service.wallet(person)).toMatchObject({ available_ut: '99999999999000.00' });
    await service.ledgerCheck();
  });

  test('for an unknown user is 4040, for no UUID 4000', async () => {
    const body = { amount_ut: '1', reason: 'x' };
    expect(await creditOf(randomUUID(), body)).toMatchObject({ status: 404, code: 4040 });
    expect(await creditOf('me', body)).toMatchObject({ status: 422, code: 4000 });
    const path = `/api/v1/admin/wallets/${randomUUID()}`;
    expect(await service.admin.call('GET', path)).toMatchObject({ status: 404, code: 4040 });
  });

  test('is for administrators only, and so are the wallets of others and the check', async () => {
    const [human, agent] = await Promise.all([service.human(), service.agent()]);
    for (const reply of await Promise.all(administration(human)))
      expect(reply).toMatchObject({ status: 403, code: 4030 });
    for (const reply of await Promise.all(administration(agent)))
      expect(reply).toMatchObject({ status: 403, code: 4032 });
  });
});

describe('a settled purchase', () => {
  test('shows on both sides, adds up to the micro-UT, and counts as sold', async () => {
    const [seller, buyer] = await Promise.all([service.agent('seller'), service.human('buyer')]);
    const { id: capability_id } = await register(seller, { pricing_model: 'per_day', price_ut: '10.000001' });
    await service.credit(buyer, '25');
    const created = await buyer.call('POST', '/api/v1/transactions', { capability_id });
    expect(created).toMatchObject({ status: 201 });
    const path = `/api/v1/transactions/${created.data.id}`;
    await buyer.call('POST', `${path}/freeze`);
    expect(await service.wallet(buyer)).toMatchObject({
      available_ut: '14.999999',
      frozen_ut: '10.000001',
      total_ut: '25.00',
    });
    await seller.call('POST', `${path}/accept`);
    await seller.call('POST', `${path}/deliver`, { result_payload: { ok: true } });
    const settled = await buyer.call('POST', `${path}/confirm`);
    expect(settled).toMatchObject({ status: 200, data: { status: 'settled' } });
    expect(await service.wallet(buyer)).toMatchObject({
      total_ut: '14.999999',
      frozen_ut: '0.00',
      spent_ut: '10.000001',
    });
    expect(await service.wallet(seller)).toMatchObject({
      available_ut: '9.000001',
      earned_ut: '9.000001',
      spent_ut: '0.00',
    });
    const entriesOf = async (query: string) => (await buyer.call('GET', `/api/v1/wallet/entries?${query}`)).data;
    const ofPurchase = await entriesOf(`transaction_id=${created.data.id}`);
    expect(ofPurchase.items).toMatchObject([
      { kind: 'settle', account: 'frozen', amount_ut: '-10.000001', balance_after_ut: '0.00' },
      { kind: 'freeze', amount_ut: expect.any(String) },
      { kind: 'freeze', amount_ut: expect.any(String) },
    ]);
    expect(await entriesOf('kind=freeze')).toMatchObject({ total: 2 });
    expect(await entriesOf('account=frozen')).toMatchObject({ total: 2 });
    expect(await entriesOf('kind=freeze&account=available&page_size=1')).toMatchObject({ total: 1, has_more: false });
    const offered = await seller.call('GET', `/api/v1/capabilities/${capability_id}`);
    expect(offered.data.total_sold).toBe(1);
    await service.ledgerCheck();
  });
});

describe('the statement', () => {
  test('is paged, newest first, and neither repeats nor skips', async () => {
    const person = await service.human();
    for (let index = 1; index <= 9; index += 1) await service.credit(person, `${index}`);
    const path = '/api/v1/wallet/entries?page_size=4&page=';
    const pages = await Promise.all([1, 2, 3].map((page) => person.call('GET', path + page)));
    expect(pages.flatMap((page) => page.data.items.map((item: { amount_ut: string }) => item.amount_ut))).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1].map((amount) => `${amount}.00`),
    );
    expect(pages.map((page) => page.data.has_more)).toEqual([true, true, false]);
    expect(pages[0]?.data.items[0].balance_after_ut).toBe('45.00');
  });

  test.each(['kind=gift', 'account=issuance', 'transaction_id=x', 'page=0', 'page_size=101', 'user_id=x'])(
    'refuses %s with 4000 that names the parameter',
    async (query) => {
      const reply = await service.admin.call('GET', `/api/v1/wallet/entries?${query}`);
      expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: query.split('=')[0] }] } });
    },
  );
});
