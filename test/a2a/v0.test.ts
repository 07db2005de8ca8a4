import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { act, balances, buyUpTo, openMarket, type Data, type Market } from '../api/purchase.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { post, rpc, v0Path, v0Send, v0Stream, type RpcAnswer } from './agent-client.ts';

let service: Service;
let market: Market;
let id: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  const agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  id = randomUUID().replaceAll('-', '');
});

async function ask(person: Person, method: string, params: Data, more = {}): Promise<RpcAnswer['body']> {
  const request = rpc(method, params);
  const { body } = await post(service, v0Path, request, person, more);
  expect(body).toMatchObject({ jsonrpc: '2.0', id: request.id });
  return body;
}

const send = (person: Person, taskId: string, content: string | Data, more: Data = {}) =>
  ask(person, 'tasks/send', v0Send(taskId, content, more));
const freeze = { metadata: { freeze: true } };
const purchase = (more: Data = freeze) => send(market.buyer, id, { capability_id: market.capabilityId }, more);

it('buys under the task id of the client, and trades to the end', async () => {
  const { result } = await purchase({ ...freeze, sessionId: 'my session' });
  expect(result).toMatchObject({ id, sessionId: 'my session', status: { state: 'submitted' } });
  const transactionId = String(result.metadata.transaction.id);
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  // The seller knows the transaction, not the buyer's id.
  expect((await send(market.seller, id, { operation: 'accept' })).error.code).toBe(-32_001);
  expect((await send(market.seller, transactionId, { operation: 'accept' })).result.status.state).toBe('working');
  const delivery = { operation: 'deliver', result_payload: { rain: 3 } };
  const delivered = (await send(market.seller, transactionId, delivery)).result;
  expect(delivered).toMatchObject({ status: { state: 'working' }, artifacts: [{ parts: [{ data: { rain: 3 } }] }] });
  for (const known of [id, transactionId]) {
    const read = (await ask(market.buyer, 'tasks/get', { id: known })).result;
    expect(read).toMatchObject({ id: known, metadata: { transaction: { id: transactionId, status: 'delivered' } } });
  }
  expect((await send(market.buyer, id, { operation: 'confirm' })).result.status.state).toBe('completed');
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
});

const told = (result: Data) => {
  const { status, final } = result as { status?: Data; final?: boolean };
  return status === undefined ? 'artifact' : `${String(status['state'])}${final === true ? ' final' : ''}`;
};

it('streams a purchase from the freeze to the settlement, each event a whole answer', async () => {
  const stream = await v0Stream(
    service,
    market.buyer,
    'tasks/sendSubscribe',
    v0Send(id, { capability_id: market.capabilityId }, freeze),
  );
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
  const [first] = await stream.until((result) => told(result) === 'submitted');
  expect(first?.['id']).toBe(id);
  const transactionId = (await ask(market.buyer, 'tasks/get', { id })).result.metadata.transaction.id as string;
  await act(market.seller, transactionId, 'accept');
  await act(market.seller, transactionId, 'deliver', { result_payload: { rain: 3 } });
  await stream.until((result) => told(result) === 'artifact');
  const again = await v0Stream(service, market.buyer, 'tasks/resubscribe', { id });
  await again.until((result) => told(result) === 'working');
  await send(market.buyer, id, { operation: 'confirm' });
  const all = await stream.until(() => false);
  expect(all.map(told)).toEqual(['submitted', 'working', 'artifact', 'working', 'working', 'completed final']);
  expect((await again.until(() => false)).map(told)).toEqual(['artifact', 'working', 'working', 'completed final']);
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
});

it('ends a stream where the buyer has to freeze', async () => {
  const params = v0Send(id, { capability_id: market.capabilityId });
  const stream = await v0Stream(service, market.buyer, 'tasks/sendSubscribe', params);
  expect((await stream.until(() => false)).map(told)).toEqual(['input-required final']);
});

it('does each thing once: the task id tells a purchase, the request id an operation', async () => {
  const [first, second] = [await purchase(), await purchase()];
  expect(second.result.metadata.transaction.id).toBe(first.result.metadata.transaction.id);
  const other = await send(market.buyer, id, { capability_id: market.capabilityId, booked_hours: 2 }, freeze);
  expect(other.error).toMatchObject({ code: -32_602, data: { error: 'idempotency_key_reused' } });
  const transactionId = String(first.result.metadata.transaction.id);
  const accept = rpc('tasks/send', v0Send(transactionId, { operation: 'accept' }));
  for (const _ of [1, 2]) {
    const { body } = await post(service, v0Path, accept, market.seller);
    expect(body.result.metadata.transaction.status).toBe('accepted');
  }
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
});

it('asks again after a refusal, also of a client that counts its requests from 1', async () => {
  const poor = await service.agent();
  await send(poor, id, { capability_id: market.capabilityId });
  const request = rpc('tasks/send', v0Send(id, { operation: 'freeze' }), 1);
  expect((await post(service, v0Path, request, poor)).body.error.data).toMatchObject({
    code: 4020,
    required_ut: '10.00',
  });
  await service.credit(poor, '10');
  expect((await post(service, v0Path, request, poor)).body.result.status.state).toBe('submitted');
  expect((await service.wallet(poor)).frozen_ut).toBe('10.00');
});

it('proposes capabilities for words; a data part under the same id buys', async () => {
  const { result } = await send(market.buyer, id, 'hourly weather');
  expect(result).toMatchObject({ id, status: { state: 'input-required' }, history: [{ role: 'agent' }] });
  expect(result.artifacts[0].parts[1].data.proposals[0]).toMatchObject({ title: 'Weather data', price_ut: '10.00' });
  expect((await purchase()).result.status.state).toBe('submitted');
  expect((await send(market.buyer, id, 'more words')).error.code).toBe(-32_004);
});

it('cancels for the buyer; what the seller rejects is canceled too', async () => {
  await purchase();
  expect((await ask(market.buyer, 'tasks/cancel', { id })).result.status.state).toBe('canceled');
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  const late = await buyUpTo(market, 'accepted');
  expect((await ask(market.buyer, 'tasks/cancel', { id: late })).error.code).toBe(-32_002);
  await act(market.seller, late, 'reject');
  expect((await ask(market.buyer, 'tasks/get', { id: late })).result).toMatchObject({
    status: { state: 'canceled' },
    metadata: { transaction: { status: 'rejected_by_seller' } },
  });
});

const code = async (person: Person, method: string, params: Data) => (await ask(person, method, params)).error.code;

it('has the error codes of its generation', async () => {
  const accepted = await buyUpTo(market, 'accepted');
  expect(await code(market.buyer, 'tasks/send', v0Send(accepted, { operation: 'confirm' }))).toBe(-32_009);
  expect(await code(market.buyer, 'tasks/send', v0Send(accepted, { operation: 'deliver' }))).toBe(-32_008);
  expect(await code(await service.human(), 'tasks/get', { id: accepted })).toBe(-32_001);
  expect(await code(await service.human(), 'tasks/pushNotification/get', { id: accepted })).toBe(-32_001);
  const push = { ...v0Send(id, 'words'), pushNotification: { url: 'gopher://a.example' } };
  expect(await code(market.buyer, 'tasks/send', push)).toBe(-32_602);
  expect(await code(market.buyer, 'tasks/list', {})).toBe(-32_601);
  expect(await code(market.buyer, 'tasks/get', {})).toBe(-32_602);
  const nobody = await post(service, v0Path, rpc('tasks/get', { id }), null);
  expect([nobody.status, nobody.body.error.code]).toEqual([401, -32_007]);
});

it.each(['/tasks/send', '/rpc', '/'])('answers at %s below its address too', async (below) => {
  const { body } = await post(service, `${v0Path}${below}`, rpc('tasks/send', v0Send(id, 'weather')), market.buyer);
  expect(body.result.id).toBe(id);
});

it('refuses more than twenty streams of one user, and takes a new one when one hangs up', async () => {
  const pending = await buyUpTo(market, 'pending');
  const open = async (signal: AbortSignal) =>
    await fetch(service.url + v0Path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await market.buyer.headers()) },
      body: JSON.stringify(rpc('tasks/resubscribe', { id: pending })),
      signal,
    });
  const hangUp = new AbortController();
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(hangUp.signal)));
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  const refused = await open(AbortSignal.timeout(10_000));
  expect([refused.status, ((await refused.json()) as { error: Data }).error['code']]).toEqual([429, -32_010]);
  hangUp.abort();
  const last = new AbortController();
  await expect.poll(async () => (await open(last.signal)).status, { timeout: 5_000 }).toBe(200);
  last.abort();
});
