import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { invoke, moneyOf, openCallMarket, sell, transactionOf, untilCalled, untilFree } from './invoke.ts';
import { act, publish, type Data } from './purchase.ts';

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
/** Calls of the last invocation's transaction, as the seller saw them. */
const callsOf = async (data: Data) => await server.calls({ transactionId: String(data['transaction_id']) });
const untouched = ['100.00', '0.00', '0.00'];

describe.concurrent('an invocation', () => {
  it('answers the seller’s result and moves the price to the seller', async () => {
    const market = await open();
    const reply = await invoke(market, await sell(market, '/fast'));
    expect(reply.status, reply.text).toBe(200);
    const data = reply.data as Data;
    expect(data).toMatchObject({ charged_ut: '10.00', result: { echo: { place: 'Oslo' } } });
    expect(data['latency_ms']).toBeTypeOf('number');
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });

  it('is a transaction with all its times, its events and the result', async () => {
    const market = await open();
    const reply = await invoke(market, await sell(market, '/fast'));
    const transaction = await transactionOf(market, reply);
    expect(transaction).toMatchObject({
      origin: 'invoke',
      status: 'settled',
      status_reason: 'callback_answered',
      transaction_type: 'per_use',
      result_payload: { echo: { place: 'Oslo' } },
    });
    for (const time of ['frozen_at', 'accepted_at', 'delivered_at', 'confirmed_at', 'settled_at'])
      expect(transaction[time], time).toBeTypeOf('string');
    const sql = 'select type from event where transaction_id = ? order by seq';
    const types = (await service.em.execute<{ type: string }[]>(sql, [transaction['id']])).map(({ type }) => type);
    const reached = ['created', 'frozen', 'accepted', 'delivered', 'confirmed', 'settled'];
    expect(types).toEqual(reached.map((status) => `transaction.${status}`));
  });

  it('signs the call by Standard Webhooks, with the transaction as its key', async () => {
    const market = await open();
    const capabilityId = await sell(market, '/fast');
    const { data } = await invoke(market, capabilityId);
    const id = (data as Data)['transaction_id'];
    expect(await callsOf(data as Data)).toMatchObject([
      { verified: true, idempotency_key: id, webhook_id: id, capability_id: capabilityId, attempt: 1 },
    ]);
  });

  it.each([
    ['/refuse?status=422', 'http_4xx', 422],
    ['/redirect?to=/fast', 'http_3xx', 307],
    ['/invalid-json', 'not_json_object', 200],
    ['/array', 'not_json_object', 200],
    ['/huge', 'answer_too_large', 200],
  ])('that the seller answers by %s gives the money back, and is not tried again', async (path, reason, status) => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, path);
    const reply = await invoke(market, capabilityId, {}, key);
    expect(reply, reply.text).toMatchObject({ status: 502, code: 5020, data: { reason, http_status: status } });
    expect(await transactionOf(market, reply)).toMatchObject({ status: 'failed', status_reason: 'callback_failed' });
    expect(await moneyOf(market)).toEqual(untouched);
    const again = await invoke(market, capabilityId, {}, key);
    expect(again).toMatchObject({ status: 502, code: 5020, data: reply.data });
    expect(await callsOf(reply.data as Data)).toHaveLength(1);
  });

  it.each([
    ['/flaky?fail=2', 3],
    ['/reset-once', 2],
  ])('is tried again after a passing fault: %s', async (path, calls) => {
    const market = await open();
    const reply = await invoke(market, await sell(market, path));
    expect(reply.status, reply.text).toBe(200);
    const seen = await callsOf(reply.data as Data);
    expect(seen.map((call) => call.attempt)).toEqual(Array.from({ length: calls }, (_, index) => index + 1));
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });

  it('that only fails is given up when its time is over, and gives the money back', async () => {
    const market = await open();
    const reply = await invoke(market, await sell(market, '/broken?status=503'));
    expect(reply.code, reply.text).toBe(5020);
    expect((await callsOf(reply.data as Data)).length).toBeGreaterThan(2);
    expect(await moneyOf(market)).toEqual(untouched);
  });

  it.each(['/hang', '/trickle'])('that is not answered in time gives the money back: %s', async (path) => {
    const market = await open();
    const reply = await invoke(market, await sell(market, path));
    expect(reply, reply.text).toMatchObject({ status: 504, code: 5040 });
    expect(await transactionOf(market, reply)).toMatchObject({ status: 'failed', status_reason: 'callback_timeout' });
    expect(await moneyOf(market)).toEqual(untouched);
  });

  it('that the seller answers by 202 charges nothing, and is delivered and confirmed later', async () => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, '/later');
    const reply = await invoke(market, capabilityId, {}, key);
    expect(reply, reply.text).toMatchObject({ status: 200, data: { result: null, charged_ut: '0' } });
    const transaction = await transactionOf(market, reply);
    expect(transaction).toMatchObject({ status: 'accepted', status_reason: 'callback_accepted' });
    const laterMs = Date.parse(String(transaction['delivery_deadline'])) - Date.now();
    expect(laterMs).toBeGreaterThan(service.settings.transactionTerms.deliveryTimeoutMs / 2);
    expect(await moneyOf(market)).toEqual(['90.00', '10.00', '0.00']);
    const id = String((reply.data as Data)['transaction_id']);
    expect((await act(market.seller, id, 'deliver', { result_payload: { done: true } })).status).toBe(200);
    expect((await act(market.buyer, id, 'confirm')).data).toMatchObject({ status: 'settled' });
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
    const replay = await invoke(market, capabilityId, {}, key);
    expect(replay.data).toEqual(reply.data);
  });

  it('ends with what the seller does by hand meanwhile', async () => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, '/hang', { callback_timeout_sec: 60 });
    const answering = invoke(market, capabilityId, {}, key);
    const call = await untilCalled(server, capabilityId);
    expect((await act(market.seller, String(call.transaction_id), 'reject')).status).toBe(200);
    expect(await answering).toMatchObject({ status: 502, code: 5020 });
    expect(await moneyOf(market)).toEqual(untouched);
  });
});

describe.concurrent('the key of an invocation', () => {
  it('gets the same answer again, and the seller is not called again', async () => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, '/fast');
    const first = await invoke(market, capabilityId, {}, key);
    const again = await invoke(market, capabilityId, {}, key);
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await callsOf(first.data as Data)).toHaveLength(1);
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });

  it('finds the same outcome when the stored answer is long forgotten', async () => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, '/fast');
    const first = await invoke(market, capabilityId, {}, key);
    await service.em.execute('delete from idempotency_record where user_id = ?', [market.buyer.userId]);
    const again = await invoke(market, capabilityId, {}, key);
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await service.em.execute('delete from idempotency_record where user_id = ?', [market.buyer.userId]);
    expect(await invoke(market, capabilityId, { input: { other: 1 } }, key)).toMatchObject({ code: 4092 });
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });

  it('of a client that went away finds what its call came to', async () => {
    const market = await open();
    const capabilityId = await sell(market, '/slow?ms=1500');
    const key = randomUUID();
    const leaving = new AbortController();
    const headers = { ...(await market.buyer.headers()), 'idempotency-key': key, 'content-type': 'application/json' };
    const url = `${service.url}/api/v1/capabilities/${capabilityId}/invoke`;
    const gone = fetch(url, { method: 'POST', headers, body: '{}', signal: leaving.signal });
    await untilCalled(server, capabilityId);
    leaving.abort();
    await expect(gone).rejects.toThrow('aborted');
    expect(await invoke(market, capabilityId, {}, key)).toMatchObject({ status: 409, code: 4091 });
    const reply = await untilFree(() => invoke(market, capabilityId, {}, key));
    expect(reply, reply.text).toMatchObject({ status: 200, data: { charged_ut: '10.00' } });
    expect(await callsOf(reply.data as Data)).toHaveLength(1);
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });

  it('of another payload is refused', async () => {
    const market = await open();
    const key = randomUUID();
    const capabilityId = await sell(market, '/fast');
    await invoke(market, capabilityId, { input: { a: 1 } }, key);
    expect(await invoke(market, capabilityId, { input: { a: 2 } }, key)).toMatchObject({ status: 422, code: 4092 });
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });
});

describe.concurrent('an invocation is refused, and freezes nothing,', () => {
  it('for a human', async () => {
    const market = await open();
    const human = await service.human();
    const path = `/api/v1/capabilities/${await sell(market, '/fast')}/invoke`;
    expect(await human.call('POST', path, {})).toMatchObject({ status: 403, code: 4032 });
  });

  it('of one’s own capability, of none, of one that is off sale, and of one that is not called', async () => {
    const market = await open();
    const ownId = await publish(market.buyer);
    expect(await invoke(market, ownId)).toMatchObject({ code: 4035 });
    expect(await invoke(market, randomUUID())).toMatchObject({ code: 4040 });
    const id = await sell(market, '/fast');
    await market.seller.call('PUT', `/api/v1/capabilities/${id}`, { available: false });
    expect(await invoke(market, id)).toMatchObject({ code: 4093 });
    const hourly = await publish(market.seller, { pricing_model: 'per_hour' });
    expect(await invoke(market, hourly)).toMatchObject({ code: 4093 });
    expect(await moneyOf(market)).toEqual(untouched);
  });

  it('without enough money', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { price_ut: '100.01' });
    const data = { available_ut: '100.00', required_ut: '100.01' };
    expect(await invoke(market, id)).toMatchObject({ status: 402, code: 4020, data });
    expect(await server.calls({ capabilityId: id })).toEqual([]);
    expect(await moneyOf(market)).toEqual(untouched);
  });

  it('beyond the money, also by many at once', async () => {
    const market = await open();
    const id = await sell(market, '/fast', { price_ut: '30' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => invoke(market, id)));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      0,
      0,
      0,
      ...Array<number>(5).fill(4020),
    ]);
    expect(await moneyOf(market)).toEqual(['10.00', '0.00', '90.00']);
  });

  it('with an input that cannot be kept, or a field that nobody knows', async () => {
    const market = await open();
    const id = await sell(market, '/fast');
    const bomb = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const a of [String.raw`"\u0000"`, String.raw`"\ud800"`, '1e999', bomb]) {
      const reply = await market.buyer.call('POST', `/api/v1/capabilities/${id}/invoke`, `{"input":{"a":${a}}}`);
      expect(reply, a.slice(0, 20)).toMatchObject({ status: 422, code: 4000 });
    }
    // What only looks like an escape is kept.
    const kept = String.raw`\u0000 and \ud800`;
    expect(await invoke(market, id, { input: { kept } })).toMatchObject({ data: { result: { echo: { kept } } } });
    expect(await invoke(market, id, { inputs: {} })).toMatchObject({ status: 422, code: 4000 });
    expect(await invoke(market, id, { input: [] })).toMatchObject({ status: 422, code: 4000 });
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });
});
