import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { offer, register } from './capability-offer.ts';

let service: Service;
let agent: Person;
let human: Person;

beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_PRIVATE: 'false' });
  agent = await service.agent('seller');
  human = await service.human('reader');
});
afterAll(async () => await service.close());

const path = '/api/v1/capabilities';

describe('registering a capability', () => {
  test('answers 201 with every field of the record, defaults filled, and reads back the same', async () => {
    const reply = await agent.call('POST', path, offer);
    expect(reply).toMatchObject({ status: 201, code: 0, message: 'success' });
    expect(reply.data).toEqual({
      ...offer,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agent_id: agent.userId,
      price_ut: '12.50',
      delivery_mode: 'instant',
      auto_accept_min_ut: null,
      daily_limit: null,
      rate_limit_per_min: null,
      callback_url: null,
      callback_timeout_sec: 30,
      callback_secret: null,
      quality_score: '0.00',
      total_sold: 0,
      available: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: reply.data.created_at,
    });
    const read = await human.call('GET', `${path}/${reply.data.id}`);
    const { callback_secret: _, ...kept } = reply.data;
    expect(read.data).toEqual(kept);
  });

  test('is open to humans too', async () => {
    expect((await human.call('POST', path, offer)).status).toBe(201);
  });

  test('needs credentials', async () => {
    expect(await service.call('POST', path, offer)).toMatchObject({ status: 401, code: 4010 });
    expect(await service.call('GET', path)).toMatchObject({ status: 401, code: 4010 });
  });

  test('keeps every digit of a price, sent as a string or as a number', async () => {
    expect(await register(agent, { price_ut: '99999999999999.999999' })).toMatchObject({
      price_ut: '99999999999999.999999',
    });
    expect(await register(agent, { price_ut: 0.1 })).toMatchObject({ price_ut: '0.10' });
    const { price_ut: _, ...free } = offer;
    expect((await agent.call('POST', path, free)).data).toMatchObject({ price_ut: '0.00' });
  });

  test.each([
    ['title', ''],
    ['title', 'x'.repeat(201)],
    ['title', 'a\0b'],
    ['description', 5],
    ['category', 'unknown'],
    ['capability_type', 'thing'],
    ['pricing_model', 'fixed'],
    ['price_ut', '-1'],
    ['price_ut', '1e3'],
    ['price_ut', '0.0000001'],
    ['price_ut', '100000000000000'],
    ['price_ut', null],
    ['tags', 'one'],
    ['delivery_mode', 'later'],
    ['auto_accept_min_ut', '-0.01'],
    ['daily_limit', 0],
    ['rate_limit_per_min', 1.5],
    ['callback_timeout_sec', 4],
    ['callback_timeout_sec', 121],
    ['callback_url', 'ftp://seller.example/'],
    ['callback_url', 'http://127.0.0.1/'],
    ['callback_url', 'http://[::ffff:10.0.0.1]/'],
    ['callback_url', 'https://user:secret@seller.example/'],
    ['agent_id', randomUUID()],
    ['quality_score', '5.00'],
    ['prise_ut', '1'],
  ])('refuses %s = %j, names the field and keeps nothing', async (field, value) => {
    const reply = await agent.call('POST', path, { ...offer, title: `refused ${field}`, [field]: value });
    expect(reply).toMatchObject({ status: 422, code: 4000 });
    expect(reply.data.errors.map((error: { path: string }) => error.path)).toContain(field);
    expect((await agent.call('GET', `${path}?q=refused`)).data.total).toBe(0);
  });

  test.each(['per_query', 'per_use'])('%s without a callback_url is refused', async (pricing_model) => {
    const refused = await agent.call('POST', path, { ...offer, pricing_model });
    expect(refused).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'callback_url' }] } });
    const called = { pricing_model, callback_url: 'https://seller.example/cb' };
    expect(await register(agent, called)).toMatchObject(called);
  });

  test('with the same idempotency key happens once, in the header or in the body', async () => {
    const key = randomUUID();
    const first = await agent.call('POST', path, offer, { 'idempotency-key': key });
    const again = await agent.call('POST', path, offer, { 'idempotency-key': key });
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await agent.call('POST', path, { ...offer, title: 'Other' }, { 'idempotency-key': key });
    expect(other).toMatchObject({ status: 422, code: 4092 });
    const inBody = await human.call('POST', path, { ...offer, idempotency_key: key });
    const inHeader = await human.call('POST', path, offer, { 'idempotency-key': key });
    expect(inHeader.data.id).toBe(inBody.data.id);
    expect(inBody.data.id).not.toBe(first.data.id);
  });

  test('with a key whose answer is forgotten is a conflict that names what the key made', async () => {
    const key = randomUUID();
    const first = await agent.call('POST', path, offer, { 'idempotency-key': key });
    await service.em.execute('delete from idempotency_record where key = ?', [key]);
    const again = await agent.call('POST', path, offer, { 'idempotency-key': key });
    expect(again).toMatchObject({ status: 409, code: 4093, data: { capability_id: first.data.id } });
  });
});

describe('reading a capability', () => {
  test('shows the callback_url to the owner only', async () => {
    const { id } = await register(agent, { callback_url: 'https://seller.example/cb' });
    expect((await agent.call('GET', `${path}/${id}`)).data.callback_url).toBe('https://seller.example/cb');
    expect((await human.call('GET', `${path}/${id}`)).data.callback_url).toBeNull();
  });

  test('of an id that is no UUID is 4000, of an unknown one 4040', async () => {
    expect(await human.call('GET', `${path}/none`)).toMatchObject({ status: 422, code: 4000 });
    expect(await human.call('GET', `${path}/${randomUUID()}`)).toMatchObject({ status: 404, code: 4040 });
  });
});

describe('changing a capability', () => {
  test('changes what is given, leaves the rest, and clears what null clears', async () => {
    const { callback_secret: _, ...before } = await register(agent, { daily_limit: 5, auto_accept_min_ut: '3' });
    const changes = { price_ut: '0.75', daily_limit: null, available: false, tags: [] };
    const reply = await agent.call('PUT', `${path}/${before.id}`, changes);
    const expected = { ...before, ...changes, updated_at: reply.data.updated_at };
    expect(reply).toMatchObject({ status: 200, data: expected });
    expect((await human.call('GET', `${path}/${before.id}`)).data).toEqual(expected);
  });

  test('holds the rules on the result, not on the change alone', async () => {
    const { id } = await register(agent, { callback_url: 'https://seller.example/cb', pricing_model: 'per_query' });
    const refused = await agent.call('PUT', `${path}/${id}`, { callback_url: null });
    expect(refused).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'callback_url' }] } });
    const both = { callback_url: null, pricing_model: 'per_day' };
    expect((await agent.call('PUT', `${path}/${id}`, both)).data).toMatchObject(both);
    expect(await agent.call('PUT', `${path}/${id}`, { pricing_model: 'per_use' })).toMatchObject({ code: 4000 });
    expect((await agent.call('GET', `${path}/${id}`)).data).toMatchObject(both);
  });

  test.each(['agent_id', 'id', 'quality_score', 'total_sold', 'created_at', 'titel'])('refuses %s', async (field) => {
    const { id } = await register(agent);
    const reply = await agent.call('PUT', `${path}/${id}`, { [field]: 'x' });
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: field }] } });
  });

  test('is the owner only, and so is deleting', async () => {
    const { id } = await register(agent);
    expect(await human.call('PUT', `${path}/${id}`, { price_ut: '0' })).toMatchObject({ status: 403, code: 4030 });
    expect(await human.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 403, code: 4030 });
    expect((await human.call('GET', `${path}/${id}`)).data.price_ut).toBe('12.50');
    expect(await human.call('PUT', `${path}/${randomUUID()}`, { price_ut: '0' })).toMatchObject({ code: 4040 });
  });

  test('keeps both of two changes that arrive at once', async () => {
    const { id } = await register(agent);
    const changes = [{ title: 'Changed' }, { price_ut: '2' }, { tags: ['new'] }, { daily_limit: 9 }];
    const replies = await Promise.all(changes.map((change) => agent.call('PUT', `${path}/${id}`, change)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    const read = await agent.call('GET', `${path}/${id}`);
    expect(read.data).toMatchObject({ title: 'Changed', price_ut: '2.00', tags: ['new'], daily_limit: 9 });
  });
});

describe('deleting a capability', () => {
  test('answers the id; afterwards it is found nowhere, and its row is kept', async () => {
    const { id } = await register(agent, { title: 'Ephemeral thing' });
    const reply = await agent.call('DELETE', `${path}/${id}`);
    expect(reply).toMatchObject({ status: 200, data: { id, deleted: true } });
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const after = await agent.call(method, `${path}/${id}`, method === 'PUT' ? {} : undefined);
      expect(after).toMatchObject({ status: 404, code: 4040 });
    }
    expect((await agent.call('GET', `${path}?q=ephemeral`)).data.total).toBe(0);
    const rows = await service.em.execute('select deleted_at is not null as kept from capability where id = ?', [id]);
    expect(rows).toEqual([{ kept: true }]);
  });
});
