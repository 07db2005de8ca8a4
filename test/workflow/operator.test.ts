import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { balances, buyUpTo, openMarket, type Data, type Market } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';

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

const handleOf = (id: string) => service.temporal.workflow.getHandle(`transaction/${id}`);

it('every operation is also a signal that an operator sends', async () => {
  const id = await buyUpTo(market, 'frozen');
  await handleOf(id).signal('accept', { operator: 'jane' });
  await handleOf(id).signal('deliver', { operator: 'jane', result_payload: { by: 'support' } });
  await handleOf(id).signal('confirm', { operator: 'jane' });
  expect(await handleOf(id).result()).toMatchObject({ status: 'settled', result_payload: { by: 'support' } });
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  const [event] = await service.em.execute<Data[]>(
    `select actor_type, data from event where transaction_id = ? and operation = 'accept'`,
    [id],
  );
  expect(event).toMatchObject({ actor_type: 'operator', data: { operator: 'jane' } });
});

it('a signal that the status does not allow changes nothing, and the state can still be asked', async () => {
  const id = await buyUpTo(market, 'frozen');
  await handleOf(id).signal('confirm', { operator: 'jane' });
  await handleOf(id).signal('resolve', { operator: 'jane', outcome: 'nonsense' });
  expect(await handleOf(id).query('state')).toMatchObject({ status: 'frozen', step: 2 });
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
});

it('an operator can fail a transaction, and the price goes back', async () => {
  const id = await buyUpTo(market, 'delivered');
  await handleOf(id).signal('fail', { operator: 'jane', reason: 'seller vanished' });
  expect(await handleOf(id).result()).toMatchObject({ status: 'failed', status_reason: 'seller vanished' });
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
});

it('the workflow shows a readable id, its status as a search attribute, and details', async () => {
  const id = await buyUpTo(market, 'accepted');
  const told = async () => (await handleOf(id).describe()).searchAttributes['TransactionStatus'];
  await expect.poll(told, { timeout: 20_000 }).toEqual(['accepted']);
  const description = await handleOf(id).describe();
  expect(await description.staticSummary()).toContain('per_use for 10.00 UT');
  const metadata = await handleOf(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toMatch(/\*\*accepted\*\*.*10\.00 UT[\s\S]*seller may deliver, reject/);
});

it('a cancellation requested in the Temporal UI does not end a transaction that holds money', async () => {
  const id = await buyUpTo(market, 'delivered');
  await handleOf(id).cancel();
  expect(
    (await market.buyer.call('POST', `/api/v1/transactions/${id}/request-changes`, { note: 'n' })).data,
  ).toMatchObject({
    status: 'accepted',
  });
  expect((await market.seller.call('POST', `/api/v1/transactions/${id}/reject`)).data).toMatchObject({
    status: 'rejected_by_seller',
  });
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
});

it('a lost workflow goes on from the row at the next operation', async () => {
  const id = await buyUpTo(market, 'accepted');
  await handleOf(id).terminate('lost on purpose');
  const answer = await market.seller.call('POST', `/api/v1/transactions/${id}/deliver`, {});
  expect(answer.data).toMatchObject({ status: 'delivered' });
  expect((await market.buyer.call('POST', `/api/v1/transactions/${id}/confirm`)).data).toMatchObject({
    status: 'settled',
  });
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
});
