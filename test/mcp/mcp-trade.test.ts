import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type AgentPerson, type Person, type Service } from '../harness.ts';
import { balances, openMarket, type Data, type Market } from '../api/purchase.ts';
import { connect, eras, type ToolClient } from './tool-client.ts';

let service: Service;
let agent: AgentPerson;
let market: Market;
beforeAll(async () => {
  // One test makes the database fail, which the log would tell at length.
  service = await startService({ LOG_LEVEL: 'silent' });
});
afterAll(async () => await service.close());
beforeEach(async () => {
  agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service, { pricing_model: 'per_day', callback_url: null })), buyer: agent };
});

const key = () => ({ idempotency_key: randomUUID() });

async function bothSides(era: (typeof eras)[number] = '2026-07-28') {
  return { buyer: await connect(service.url, agent, era), seller: await connect(service.url, market.seller, era) };
}

const buy = (buyer: ToolClient, more: Data = {}) =>
  buyer.get('buy_capability', { capability_id: market.capabilityId, ...key(), ...more });
const operate = (side: ToolClient, id: unknown, operation: string, more: Data = {}) =>
  side.get('operate_transaction', { transaction_id: id, operation, ...key(), ...more });

/** Keeps one wait of 30 s open; the older revision knows no other way to take a call back than to close the connection. */
async function waitUntil(hungUp: AbortSignal, id: unknown, era: (typeof eras)[number]): Promise<void> {
  const params = { name: 'wait_for_transaction', arguments: { transaction_id: id, timeout_sec: 30 } };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(await agent.headers()),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const post = async () =>
    await (await fetch(new URL('/mcp', service.url), { method: 'POST', headers, body, signal: hungUp })).text();
  const client = era === '2025-11-25' ? null : (await connect(service.url, agent, era)).client;
  const wait = client === null ? post : async () => await client.callTool(params, { signal: hungUp });
  // The probe of the test may have had the place of one for a moment.
  while (!hungUp.aborted) await wait().catch(() => null);
}

const typesOf = (page: Data) => (page['items'] as Data[]).map(({ type }) => type);

describe.for(eras)('by revision %s', (era) => {
  it('an agent buys from a human: frozen, accepted, delivered, confirmed, and paid', async () => {
    const { buyer, seller } = await bothSides(era);
    const bought = await buy(buyer, { freeze: true });
    expect(bought).toMatchObject({ status: 'frozen', price_ut: '10.00', buyer_user_id: agent.userId });
    expect(await buyer.get('get_wallet')).toMatchObject({ available_ut: '90.00', frozen_ut: '10.00' });
    const waiting = await seller.get('list_transactions', { role: 'seller', status: 'frozen' });
    expect(waiting).toMatchObject({ total: 1, items: [{ id: bought['id'] }] });
    await operate(seller, bought['id'], 'accept');
    await operate(seller, bought['id'], 'deliver', { result_payload: { answer: 42 } });
    const found = await buyer.get('get_transaction', { transaction_id: bought['id'] });
    expect(found).toMatchObject({ status: 'delivered', result_payload: { answer: 42 } });
    const listed = await buyer.get('list_transactions', { role: 'buyer' });
    expect((listed['items'] as Data[])[0]).not.toHaveProperty('result_payload');
    await operate(buyer, bought['id'], 'request_changes', { note: 'Please add the sources.' });
    await operate(seller, bought['id'], 'deliver');
    expect(await operate(buyer, bought['id'], 'confirm')).toMatchObject({ status: 'settled' });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  });

  it('events are listed to both parties, from where one has read to', async () => {
    const { buyer, seller } = await bothSides(era);
    const { id } = await buy(buyer, { freeze: true });
    const query = { transaction_id: id, limit: 2 };
    // An event stands in the feed some milliseconds after its change.
    await expect
      .poll(async () => typesOf(await buyer.get('list_events', query)), { timeout: 10_000 })
      .toEqual(['transaction.created', 'transaction.frozen']);
    const { next_after: after } = await seller.get('list_events', query);
    await operate(seller, id, 'reject');
    await expect
      .poll(async () => typesOf(await seller.get('list_events', { ...query, after })), { timeout: 10_000 })
      .toEqual(['transaction.rejected_by_seller']);
    expect(await balances(market)).toMatchObject({ frozen: '0.00' });
  });

  it('waiting ends with the next event, not with its time, and at once where the status is another', async () => {
    const { buyer, seller } = await bothSides(era);
    const { id } = await buy(buyer, { freeze: true });
    const begun = Date.now();
    const waiting = buyer.get('wait_for_transaction', { transaction_id: id, status: 'frozen', timeout_sec: 30 });
    await operate(seller, id, 'accept');
    expect(await waiting).toMatchObject({ changed: true, ended: false, transaction: { status: 'accepted' } });
    expect(Date.now() - begun).toBeLessThan(15_000);
    const past = await buyer.get('wait_for_transaction', { transaction_id: id, status: 'pending', timeout_sec: 30 });
    expect(past).toMatchObject({ changed: true, transaction: { status: 'accepted' } });
    const still = await buyer.get('wait_for_transaction', { transaction_id: id, timeout_sec: 1 });
    expect(still).toMatchObject({ changed: false, ended: false });
    await operate(seller, id, 'reject');
    const over = await buyer.get('wait_for_transaction', { transaction_id: id, timeout_sec: 30 });
    expect(over).toMatchObject({ changed: false, ended: true, transaction: { status: 'rejected_by_seller' } });
    expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  });
});

describe('keys', () => {
  it('agents must send one with what writes; humans need not', async () => {
    const { buyer, seller } = await bothSides();
    const asked = { capability_id: market.capabilityId };
    expect(await buyer.ask('buy_capability', asked)).toMatchObject({
      isError: true,
      data: { code: 4002, name: 'idempotency_key_required' },
    });
    const { id } = await buy(buyer, { freeze: true });
    const accepted = await seller.ask('operate_transaction', { transaction_id: id, operation: 'accept' });
    expect(accepted).toMatchObject({ isError: false, data: { status: 'accepted' } });
  });

  it('the same call again gets the same answer on any node, and another call with the key is refused', async () => {
    const { buyer } = await bothSides();
    const call = { capability_id: market.capabilityId, freeze: true, ...key() };
    const first = await buyer.ask('buy_capability', call);
    const elsewhere = await connect(await service.anotherNode(), agent, '2025-11-25');
    const again = await elsewhere.ask('buy_capability', call);
    expect(again.data).toEqual(first.data);
    expect([first.meta['idempotent_replayed'], again.meta['idempotent_replayed']]).toEqual([undefined, true]);
    const other = await buyer.ask('buy_capability', { ...call, freeze: false });
    expect(other).toMatchObject({ isError: true, data: { code: 4092, name: 'idempotency_key_reused' } });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });

  it('the header counts as the argument, and must not differ from it', async () => {
    const header = randomUUID();
    const keyed = await connect(service.url, agent, '2026-07-28', { 'idempotency-key': header });
    const asked = { capability_id: market.capabilityId };
    const first = await keyed.get('buy_capability', asked);
    const again = await keyed.ask('buy_capability', { ...asked, idempotency_key: header });
    expect(again).toMatchObject({ data: { id: first['id'] }, meta: { idempotent_replayed: true } });
    expect(await keyed.ask('buy_capability', { ...asked, ...key() })).toMatchObject({
      isError: true,
      data: { code: 4000, data: { errors: [{ path: 'idempotency_key' }] } },
    });
  });

  it('a purchase whose freeze was refused is there, can be frozen later, and is not made twice', async () => {
    const poor = await service.agent();
    const buyer = await connect(service.url, poor);
    const call = { capability_id: market.capabilityId, freeze: true, ...key() };
    const refused = await buyer.ask('buy_capability', call);
    expect(refused).toMatchObject({ isError: true, data: { code: 4020, name: 'insufficient_balance' } });
    const details = refused.data['data'] as Data;
    expect(details).toMatchObject({ available_ut: '0.00', required_ut: '10.00' });
    expect((await buyer.ask('buy_capability', call)).data).toEqual(refused.data);
    await service.credit(poor, '10');
    expect(await operate(buyer, details['transaction_id'], 'freeze')).toMatchObject({ status: 'frozen' });
    expect(await buyer.get('list_transactions')).toMatchObject({ total: 1 });
    await service.ledgerCheck();
  });
});

describe('refusals are results that say what to do', () => {
  it('a third party sees and does nothing', async () => {
    const { buyer } = await bothSides();
    const { id } = await buy(buyer, { freeze: true });
    const stranger = await connect(service.url, await service.agent());
    const notMine = { isError: true, data: { code: 4031, name: 'not_a_party', data: null } };
    expect(await stranger.ask('get_transaction', { transaction_id: id })).toMatchObject(notMine);
    expect(await stranger.ask('wait_for_transaction', { transaction_id: id, timeout_sec: 1 })).toMatchObject(notMine);
    const cancel = { transaction_id: id, operation: 'cancel', ...key() };
    expect(await stranger.ask('operate_transaction', cancel)).toMatchObject({ data: { name: 'not_a_party' } });
    const accept = { transaction_id: id, operation: 'accept', ...key() };
    expect(await buyer.ask('operate_transaction', accept)).toMatchObject({ data: { name: 'not_a_party' } });
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });

  it('what the status does not allow names the status and what it allows', async () => {
    const { buyer } = await bothSides();
    const { id } = await buy(buyer);
    const refused = await buyer.ask('operate_transaction', { transaction_id: id, operation: 'confirm', ...key() });
    expect(refused).toMatchObject({
      isError: true,
      data: {
        code: 4090,
        name: 'invalid_state',
        data: { status: 'pending', allowed_operations: ['freeze', 'cancel'] },
      },
    });
    expect(JSON.parse(refused.text)).toEqual(refused.data);
    expect(refused.meta['request_id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('an operation takes its own fields only, and needs them', async () => {
    const { buyer } = await bothSides();
    const { id } = await buy(buyer, { freeze: true });
    const fieldsOf = async (operation: string, more: Data) => {
      const asked = { transaction_id: id, operation, ...key(), ...more };
      const { data } = await buyer.ask('operate_transaction', asked);
      return [data['code'], ((data['data'] as Data)['errors'] as Data[]).map((error) => error['path'])];
    };
    expect(await fieldsOf('cancel', { note: 'x' })).toEqual([4000, ['note']]);
    expect(await fieldsOf('dispute', {})).toEqual([4000, ['reason']]);
    expect(await fieldsOf('request_changes', { reason: 'x' })).toEqual([4000, ['note', 'reason']]);
    expect(await fieldsOf('resolve', {})).toEqual([4000, ['operation']]);
    expect(await fieldsOf('cancel', { price_ut: '1' })).toEqual([4000, ['price_ut']]);
  });

  it('a human cannot invoke, nobody buys from themselves, and what is not there is not found', async () => {
    const { buyer, seller } = await bothSides();
    const own = { capability_id: market.capabilityId };
    expect(await seller.ask('buy_capability', own)).toMatchObject({ data: { code: 4035, name: 'self_dealing' } });
    expect(await seller.ask('invoke_capability', own)).toMatchObject({ data: { code: 4032, name: 'agent_only' } });
    const gone = { capability_id: randomUUID(), ...key() };
    expect(await buyer.ask('buy_capability', gone)).toMatchObject({ data: { code: 4040, name: 'not_found' } });
  });

  it('no more than twenty waits for one user at once', async () => {
    const { buyer } = await bothSides();
    const { id } = await buy(buyer);
    const wait = async () => await buyer.ask('wait_for_transaction', { transaction_id: id, timeout_sec: 10 });
    const waits = Array.from({ length: 21 }, wait);
    const first = await Promise.race(waits);
    expect(first).toMatchObject({ isError: true, data: { code: 4290, data: { retry_after_sec: 5 } } });
    await operate(buyer, id, 'cancel');
    const ended = (await Promise.all(waits)).filter((answer) => !answer.isError);
    expect(ended).toHaveLength(20);
  });

  it('no more waits of all users together than a process keeps open', async () => {
    const small = await startService({ STREAMS_PER_PROCESS: '2', LOG_LEVEL: 'silent' });
    try {
      const open = await openMarket(small);
      const [buyer, seller] = [await connect(small.url, open.buyer), await connect(small.url, open.seller)];
      const { id } = await buyer.get('buy_capability', { capability_id: open.capabilityId });
      const waits = [buyer, seller, seller].map(async (side) => {
        return await side.ask('wait_for_transaction', { transaction_id: id, timeout_sec: 20 });
      });
      const first = await Promise.race(waits);
      expect(first).toMatchObject({ isError: true, data: { code: 5030, data: { retry_after_sec: 5 } } });
      await operate(buyer, id, 'cancel');
      const ended = (await Promise.all(waits)).filter((answer) => !answer.isError);
      expect(ended.map(({ data }) => data['changed'])).toEqual([true, true]);
    } finally {
      await small.close();
    }
  });

  it.for(eras)('a wait ends when its client hangs up, by revision %s', async (era) => {
    const { buyer } = await bothSides();
    const { id } = await buy(buyer);
    const hangUp = new AbortController();
    const waits = Array.from({ length: 20 }, () => waitUntil(hangUp.signal, id, era));
    // Answered at once where it is let in, as the transaction is not frozen.
    const probe = { transaction_id: id, status: 'frozen' };
    const isRefused = async () => (await buyer.ask('wait_for_transaction', probe)).isError;
    await expect.poll(isRefused, { timeout: 10_000 }).toBe(true);
    hangUp.abort();
    // Far sooner than the 30 s of the waits.
    await expect.poll(isRefused, { timeout: 10_000 }).toBe(false);
    await Promise.all(waits);
  });
});

describe('faults', () => {
  it('an internal error tells nothing of itself but the request to quote', async () => {
    const { buyer } = await bothSides();
    const own: Person = agent;
    await service.em.execute('alter table account rename to account_away');
    try {
      const failed = await buyer.ask('get_wallet');
      expect(failed).toMatchObject({ isError: true, data: { code: 5000, name: 'internal_error' } });
      expect(JSON.stringify(failed)).not.toMatch(/account|select|relation/);
      expect(failed.data['data']).toEqual({ request_id: failed.meta['request_id'] });
    } finally {
      await service.em.execute('alter table account_away rename to account');
    }
    await service.em.execute('alter table capability rename to capability_away');
    try {
      const read = buyer.client.readResource({ uri: 'marketplace://categories' }, { cacheMode: 'bypass' });
      await expect(read).rejects.toThrow(/^Something went wrong here/);
    } finally {
      await service.em.execute('alter table capability_away rename to capability');
    }
    expect(await service.wallet(own)).toMatchObject({ available_ut: '100.00' });
  });
});
