import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedId } from '../../domain/identity/derived-id.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { register } from './capability-offer.ts';
import { buy, openMarket, publish, type Data, type Market } from './purchase.ts';

const path = '/api/v1/capabilities';

let service: Service;
let market: Market;
let transactionId: string;

beforeAll(async () => {
  service = await startService();
  market = await openMarket(service);
  transactionId = await buy(market);
});
afterAll(async () => await service.close());

interface Row {
  readonly id?: string;
  readonly capability_id: string;
  readonly transaction_id?: string;
  readonly attempt?: number;
  readonly outcome?: string;
  readonly reason?: string;
  readonly http_status?: number;
  readonly startedAt: Date;
  readonly result?: Data;
}

/** Records a call and answers its id; without an outcome it is under way. */
async function record(row: Row): Promise<string> {
  const id = row.id ?? randomUUID();
  const isEnded = row.outcome !== undefined;
  await service.em.execute(
    `insert into callback_delivery (id, capability_id, transaction_id, attempt, outcome, reason, http_status, latency_ms,
       result, started_at, ended_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?)`,
    [
      id,
      row.capability_id,
      row.transaction_id ?? null,
      row.attempt ?? 1,
      row.outcome ?? null,
      row.reason ?? null,
      row.http_status ?? null,
      isEnded ? 25 : null,
      row.result === undefined ? null : JSON.stringify(row.result),
      row.startedAt,
      isEnded ? new Date(row.startedAt.getTime() + 25) : null,
    ],
  );
  return id;
}

async function list(person: Person, id: string, query = '') {
  return await person.call('GET', `${path}/${id}/deliveries${query}`);
}

async function tryOut(person: Person, id: string, body?: unknown, headers?: Record<string, string>) {
  return await person.call('POST', `${path}/${id}/test-callback`, body, headers);
}

const secondsLater = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

describe('the deliveries of a capability', () => {
  let capabilityId: string;
  let failed: string;
  let answered: string;
  let tested: string;
  let running: string;

  beforeAll(async () => {
    capabilityId = market.capabilityId;
    const call = { capability_id: capabilityId, transaction_id: transactionId };
    const failure = { outcome: 'failed', reason: 'http_5xx', http_status: 503 };
    const secret = { answer: 'for the buyer only' };
    const success = { attempt: 2, outcome: 'answered', http_status: 200, result: secret };
    failed = await record({ ...call, ...failure, startedAt: secondsLater(1) });
    answered = await record({ ...call, ...success, startedAt: secondsLater(2) });
    const refusal = { outcome: 'refused', reason: 'http_4xx', http_status: 404 };
    tested = await record({ capability_id: capabilityId, ...refusal, startedAt: secondsLater(3) });
    running = await record({ ...call, attempt: 3, startedAt: secondsLater(4) });
    const other = await publish(market.seller);
    await record({ capability_id: other, outcome: 'timed_out', startedAt: secondsLater(5) });
  });

  test('are listed newest first with what came of each, without what was answered', async () => {
    const reply = await list(market.seller, capabilityId);
    expect(reply).toMatchObject({ status: 200, data: { total: 4, page: 1, page_size: 20, has_more: false } });
    const call = { capability_id: capabilityId, transaction_id: transactionId, test: false };
    const ended = (second: number) => ({
      latency_ms: 25,
      started_at: secondsLater(second).toISOString(),
      ended_at: new Date(secondsLater(second).getTime() + 25).toISOString(),
    });
    const open = { outcome: null, reason: null, http_status: null, latency_ms: null };
    const started_at = secondsLater(4).toISOString();
    const test404 = { transaction_id: null, test: true, attempt: 1, outcome: 'refused', reason: 'http_4xx' };
    expect(reply.data.items).toEqual([
      { ...call, id: running, attempt: 3, ...open, started_at, ended_at: null },
      { ...call, id: tested, ...test404, http_status: 404, ...ended(3) },
      { ...call, id: answered, attempt: 2, outcome: 'answered', reason: null, http_status: 200, ...ended(2) },
      { ...call, id: failed, attempt: 1, outcome: 'failed', reason: 'http_5xx', http_status: 503, ...ended(1) },
    ]);
    expect(reply.text).not.toContain('for the buyer only');
  });

  test.each([
    ['outcome=failed', () => [failed]],
    ['outcome=timed_out', () => []],
    ['test=true', () => [tested]],
    ['test=false', () => [running, answered, failed]],
    ['test=false&outcome=answered', () => [answered]],
    ['transaction_id=TRANSACTION', () => [running, answered, failed]],
    ['transaction_id=TRANSACTION&test=true', () => []],
    ['transaction_id=01936f3e-7c1a-7000-8000-000000000001', () => []],
  ])('narrowed by %s', async (query, expected) => {
    const { data } = await list(market.seller, capabilityId, `?${query.replace('TRANSACTION', transactionId)}`);
    expect(data.items.map((item: { id: string }) => item.id)).toEqual(expected());
    expect(data.total).toBe(expected().length);
  });

  test.each([
    'outcome=lost',
    'outcome=',
    'test=1',
    'transaction_id=none',
    'page=0',
    'page_size=101',
    'sort=oldest',
    'capability_id=x',
  ])('refuses %s with 4000 that names the parameter', async (query) => {
    const reply = await list(market.seller, capabilityId, `?${query}`);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: query.split('=')[0] }] } });
  });

  test('are the owner’s only, whoever calls', async () => {
    const stranger = await service.agent('stranger');
    for (const person of [market.buyer, stranger, service.admin]) {
      expect(await list(person, capabilityId)).toMatchObject({ status: 403, code: 4030, data: null });
      expect(await list(person, randomUUID())).toMatchObject({ status: 404, code: 4040 });
    }
    expect(await service.call('GET', `${path}/${capabilityId}/deliveries`)).toMatchObject({ status: 401, code: 4010 });
  });

  test('are found by an agent too, come in pages that neither repeat nor skip, and may be none', async () => {
    const agent = await service.agent('busy');
    const id = await publish(agent);
    expect((await list(agent, id)).data).toEqual({ items: [], total: 0, page: 1, page_size: 20, has_more: false });
    const call = { capability_id: id, outcome: 'accepted', http_status: 202 };
    for (let i = 0; i < 11; i += 1) await record({ ...call, startedAt: secondsLater(Math.floor(i / 4)) });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(agent, id, `?page_size=4&page=${page}`)));
    expect(pages.map(({ data }) => data.items.length)).toEqual([4, 4, 3, 0]);
    expect(pages.map(({ data }) => data.has_more)).toEqual([true, true, false, false]);
    const items = pages.flatMap(({ data }) => data.items as { id: string; started_at: string }[]);
    expect(new Set(items.map((item) => item.id)).size).toBe(11);
    const times = items.map((item) => item.started_at);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

describe('asking for a test of a callback', () => {
  test('is the owner’s, of a capability that is there and has an address', async () => {
    const seller = await service.agent('seller');
    const id = await publish(seller);
    const stranger = await service.human();
    expect(await tryOut(stranger, id)).toMatchObject({ status: 403, code: 4030 });
    expect(await tryOut(stranger, randomUUID())).toMatchObject({ status: 404, code: 4040 });
    expect(await service.call('POST', `${path}/${id}/test-callback`)).toMatchObject({ status: 401, code: 4010 });
    const bare = await register(seller);
    const refused = await tryOut(seller, bare.id, { input: {} });
    expect(refused).toMatchObject({ status: 409, code: 4093, message: expect.stringContaining('callback_url') });
    expect((await list(seller, id)).data.total).toBe(0);
  });

  test.each([
    [{ inputs: {} }, 'inputs'],
    [{ input: 'text' }, 'input'],
    [{ input: ['list'] }, 'input'],
    [{ input: null }, 'input'],
    [{ input: { text: 'a\0b' } }, 'input'],
    [{ test: true }, 'test'],
  ])('refuses a body by its shape (%#)', async (body, field) => {
    const seller = await service.agent('seller');
    const reply = await tryOut(seller, await publish(seller), body);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: field }] } });
  });

  test('is limited to ten a minute for each caller', async () => {
    const seller = await service.agent('seller');
    const bare = await register(seller);
    const replies = await Promise.all(Array.from({ length: 11 }, () => tryOut(seller, bare.id)));
    expect(replies.filter((reply) => reply.code === 4093)).toHaveLength(10);
    expect(replies.filter((reply) => reply.code === 4290)).toHaveLength(1);
    expect(await tryOut(await service.agent('other'), bare.id)).toMatchObject({ code: 4030 });
  });

  test('again with the key of one that has ended answers what came of it, and calls nobody', async () => {
    const seller = await service.agent('seller');
    const capability_id = await publish(seller);
    const key = randomUUID();
    const id = derivedId(`callback_test/${capability_id}`, seller.userId, key);
    const failure = { outcome: 'failed', reason: 'http_5xx', http_status: 503 };
    await record({ id, capability_id, ...failure, startedAt: secondsLater(1) });
    const expected = { delivery_id: id, ...failure, latency_ms: 25, result: null };
    const first = await tryOut(seller, capability_id, undefined, { 'idempotency-key': key });
    expect(first).toMatchObject({ status: 200, code: 0 });
    expect(first.data).toEqual(expected);
    const again = await tryOut(seller, capability_id, undefined, { 'idempotency-key': key });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.data).toEqual(expected);
    expect((await list(seller, capability_id)).data.total).toBe(1);
  });
});
