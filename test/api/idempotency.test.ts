import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platform } from '../../domain/store/platform.entity.ts';
import { startService, type AgentPerson, type Reply, type Service } from '../harness.ts';

let service: Service;
let agent: AgentPerson;

beforeAll(async () => {
  service = await startService();
  agent = await service.agent();
});
afterAll(async () => await service.close());

const capability = {
  title: 'Company register lookup',
  description: 'Answers who owns a company.',
  category: 'data',
  capability_type: 'service',
  pricing_model: 'per_hour',
  price_ut: '12.50',
};

async function create(key: string, more: object = {}, by = agent): Promise<Reply> {
  return await by.call('POST', '/api/v1/capabilities', { ...capability, ...more }, { 'idempotency-key': key });
}

async function capabilityCount(title: string): Promise<number> {
  const [row] = await service.em.execute<[{ count: string }]>('select count(*) from capability where title = ?', [
    title,
  ]);
  return Number(row.count);
}

const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';

describe('Idempotency-Key', () => {
  it('is required of agents on every write', async () => {
    const reply = await service.call('POST', '/api/v1/capabilities', capability, await agent.headers());
    expect(reply).toMatchObject({ status: 400, code: 4002 });
  });

  it('is not required of humans, and is honoured for them', async () => {
    const human = await service.human();
    expect((await human.call('POST', '/api/v1/capabilities', capability)).status).toBe(201);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await human.call('POST', '/api/v1/capabilities', capability, headers),
      await human.call('POST', '/api/v1/capabilities', capability, headers),
    ];
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
  });

  it('gives the same request the stored answer, and makes one object', async () => {
    const key = randomUUID();
    const title = `once ${key}`;
    const first = await create(key, { title });
    const second = await create(key, { title });
    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, code: 0, data: first.data });
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(await capabilityCount(title)).toBe(1);
  });

  it('takes a payload for the same whatever the order and form of its fields', async () => {
    const key = randomUUID();
    await create(key, { price_ut: '12.50' });
    const reordered = Object.fromEntries(Object.entries({ ...capability, price_ut: 12.5 }).toReversed());
    const reply = await agent.call('POST', '/api/v1/capabilities', reordered, { 'idempotency-key': key });
    expect(isReplay(reply)).toBe(true);
  });

  it('is refused for another payload or another address', async () => {
    const key = randomUUID();
    const { data } = await create(key);
    expect(await create(key, { price_ut: '13' })).toMatchObject({ status: 422, code: 4092 });
    const headers = { 'idempotency-key': key };
    expect((await agent.call('DELETE', `/api/v1/capabilities/${data.id}`, undefined, headers)).code).toBe(4092);
  });

  it('makes one object of many requests at once', async () => {
    const key = randomUUID();
    const title = `race ${key}`;
    const replies = await Promise.all(Array.from({ length: 8 }, async () => await create(key, { title })));
    const made = replies.filter(({ code }) => code === 0);
    const waiting = replies.filter(({ code }) => code !== 0);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    expect(waiting.every(({ code }) => code === 4091)).toBe(true);
    expect(await capabilityCount(title)).toBe(1);
  });

  it('answers 4091 with Retry-After while the first request runs', async () => {
    const key = randomUUID();
    await service.em.transactional(async (em) => {
      await em.execute(`select pg_advisory_xact_lock(hashtextextended(? || ' ' || ?, 7231))`, [agent.userId, key]);
      const reply = await create(key);
      expect(reply).toMatchObject({ status: 409, code: 4091, data: { retry_after_sec: 1 } });
      expect(reply.headers.get('retry-after')).toBe('1');
    });
    expect((await create(key)).status).toBe(201);
  });

  it('may stand in the body, and must not differ from the header', async () => {
    const key = randomUUID();
    const human = await service.human();
    const first = await human.call('POST', '/api/v1/capabilities', { ...capability, idempotency_key: key });
    const second = await human.call('POST', '/api/v1/capabilities', capability, { 'idempotency-key': key });
    expect(second.data.id).toBe(first.data.id);
    expect(isReplay(second)).toBe(true);
    const differing = await create(key, { idempotency_key: randomUUID() });
    expect(differing).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'idempotency_key' }] } });
    expect((await create(key, { idempotency_key: key })).status).toBe(201);
  });

  it('has 1 to 255 characters, quoted or not', async () => {
    expect(await create('x'.repeat(256))).toMatchObject({
      code: 4000,
      data: { errors: [{ path: 'Idempotency-Key' }] },
    });
    expect((await create('""')).code).toBe(4000);
    const key = `"${randomUUID()}"`;
    const first = await create(key);
    expect((await create(key.slice(1, -1))).data.id).toBe(first.data.id);
  });

  it('replays a refusal too', async () => {
    const key = randomUUID();
    const url = `/api/v1/capabilities/${randomUUID()}`;
    const refused = async () => await agent.call('DELETE', url, undefined, { 'idempotency-key': key });
    const [first, second] = [await refused(), await refused()];
    expect(first).toMatchObject({ status: 404, code: 4040 });
    expect(second).toMatchObject({ status: 404, code: 4040, message: first.message, data: first.data });
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
  });

  it('is free again after a refused request that was never understood', async () => {
    const key = randomUUID();
    expect((await create(key, { price_ut: 'dear' })).code).toBe(4000);
    expect((await create(key)).status).toBe(201);
  });

  it('belongs to one user: the same key of another is another', async () => {
    const key = randomUUID();
    const other = await service.agent();
    const [mine, theirs] = [await create(key), await create(key, { title: 'Mine' }, other)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.data.id).not.toBe(theirs.data.id);
  });

  it('leaves neither object nor answer behind when the request fails half-way', async () => {
    const name = `twice ${randomUUID()}`;
    await service.admin.call('POST', '/api/v1/admin/platforms', { name });
    const headers = { 'idempotency-key': randomUUID() };
    const conflict = await service.admin.call('POST', '/api/v1/admin/platforms', { name }, headers);
    expect(conflict).toMatchObject({ status: 409, code: 4093 });
    expect(await service.em.count(Platform, { name })).toBe(1);
  });
});
