import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { moneyOf, openCallMarket, sell, type CallMarket } from '../api/invoke.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { connect, eras } from './tool-client.ts';

let service: Service;
let server: SellerProcess;
let market: CallMarket;
beforeAll(async () => {
  [service, server] = await Promise.all([startService(), startSeller()]);
});
afterAll(async () => {
  await service.close();
  await server.stop();
});
beforeEach(async () => {
  market = await openCallMarket(service, server);
});

const input = { place: 'Oslo' };
const key = () => ({ idempotency_key: randomUUID() });

describe.for(eras)('by revision %s', (era) => {
  it('an agent invokes a capability: the result, and its price paid', async () => {
    const id = await sell(market, '/fast');
    const { get } = await connect(service.url, market.buyer, era);
    const invoked = await get('invoke_capability', { capability_id: id, input, ...key() });
    expect(invoked).toMatchObject({ charged_ut: '10.00', result: { answer: 'done', echo: input } });
    const { transaction_id } = invoked;
    expect(await get('get_transaction', { transaction_id })).toMatchObject({ status: 'settled', origin: 'invoke' });
    expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
  });
});

it('the same key again gets the same result, and the seller is not called again', async () => {
  const id = await sell(market, '/fast');
  const { ask } = await connect(service.url, market.buyer);
  const call = { capability_id: id, input, ...key() };
  const [first, again] = [await ask('invoke_capability', call), await ask('invoke_capability', call)];
  expect(again.data).toEqual(first.data);
  expect(again.meta['idempotent_replayed']).toBe(true);
  expect(await server.calls({ capabilityId: id })).toHaveLength(1);
  expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
});

it('a seller that refuses costs nothing, and the refusal names the transaction', async () => {
  const id = await sell(market, '/refuse');
  const { ask, get } = await connect(service.url, market.buyer);
  const refused = await ask('invoke_capability', { capability_id: id, input, ...key() });
  expect(refused).toMatchObject({ isError: true, data: { code: 5020, name: 'callback_failed' } });
  const { transaction_id } = refused.data['data'] as { transaction_id: string };
  expect(await get('get_transaction', { transaction_id })).toMatchObject({ status: 'failed' });
  expect(await moneyOf(market)).toEqual(['100.00', '0.00', '0.00']);
});

it('a seller may deliver later: nothing is charged until then, and waiting ends with the delivery', async () => {
  const id = await sell(market, '/later');
  const { get } = await connect(service.url, market.buyer);
  const seller = await connect(service.url, market.seller);
  const { transaction_id, ...invoked } = await get('invoke_capability', { capability_id: id, input, ...key() });
  expect(invoked).toMatchObject({ result: null, charged_ut: '0' });
  expect(await moneyOf(market)).toEqual(['90.00', '10.00', '0.00']);
  const waiting = get('wait_for_transaction', { transaction_id, status: 'accepted', timeout_sec: 30 });
  const delivery = { transaction_id, operation: 'deliver', result_payload: { answer: 'late' } };
  await seller.get('operate_transaction', delivery);
  expect(await waiting).toMatchObject({ changed: true, transaction: { result_payload: { answer: 'late' } } });
  await get('operate_transaction', { transaction_id, operation: 'confirm', ...key() });
  expect(await moneyOf(market)).toEqual(['90.00', '0.00', '10.00']);
});

it('a large result is whole in the structured content, and cut in the text', async () => {
  const id = await sell(market, '/fast');
  const { ask } = await connect(service.url, market.buyer);
  const large = { text: 'x'.repeat(100_000) };
  const answer = await ask('invoke_capability', { capability_id: id, input: large, ...key() });
  expect(answer.data).toMatchObject({ result: { echo: large } });
  expect(answer.text.length).toBeLessThan(66_000);
  expect(answer.text).toContain('structuredContent has the whole');
});
