import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { offer } from './capability-offer.ts';

let service: Service;
let agent: Person;

beforeAll(async () => {
  // One test makes the database fail, which the service logs.
  service = await startService({ LOG_LEVEL: 'fatal' });
  agent = await service.agent('seller');
});
afterAll(async () => await service.close());

const path = '/api/v1/capabilities/batch';
const send = (items: unknown, headers?: Record<string, string>) => agent.call('POST', path, { items }, headers);

describe('a batch of capabilities', () => {
  test('registers what is right and tells of each what is wrong, in order', async () => {
    const items = [
      offer,
      { ...offer, title: '' },
      offer,
      { ...offer, pricing_model: 'per_use' },
      { ...offer, agent_id: randomUUID(), price: 1 },
      'not even an object',
      { ...offer, price_ut: '0.000001' },
    ];
    const { status, data } = await send(items);
    expect(status).toBe(200);
    expect(data).toMatchObject({ total: 7, succeeded: 3, failed: 4 });
    expect(data.results.map((result: { index: number }) => result.index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [first, title, repeated, callback, unknown, text, last] = data.results;
    expect(first).toMatchObject({ success: true, data: { title: offer.title, agent_id: agent.userId } });
    expect(first).not.toHaveProperty('error');
    expect(repeated).toMatchObject({ success: true });
    expect(repeated.data.id).not.toBe(first.data.id);
    expect(last).toMatchObject({ success: true, data: { price_ut: '0.000001' } });
    expect(title).toMatchObject({ success: false, error: { code: 4000, data: { errors: [{ path: 'title' }] } } });
    expect(title).not.toHaveProperty('data');
    expect(callback.error.data.errors).toMatchObject([{ path: 'callback_url' }]);
    expect(unknown.error.data.errors).toMatchObject([{ path: 'agent_id' }, { path: 'price' }]);
    expect(text).toMatchObject({ success: false, error: { code: 4000 } });
    const listed = await agent.call('GET', `/api/v1/capabilities?agent_id=${agent.userId}`);
    expect(listed.data.total).toBe(3);
  });

  test('that the database refuses in part keeps the rest', async () => {
    await service.em.execute(`create function refuse_one() returns trigger language plpgsql as
      $$ begin if new.title = 'Refused' then raise exception 'no'; end if; return new; end $$`);
    await service.em.execute(`create trigger refuse_one before insert on capability
      for each row execute function refuse_one()`);
    const { data } = await send([
      { ...offer, title: 'Before' },
      { ...offer, title: 'Refused' },
      { ...offer, title: 'After' },
    ]);
    expect(data).toMatchObject({ succeeded: 2, failed: 1 });
    expect(data.results[1].error).toEqual({ code: 5000, message: expect.not.stringContaining('no '), data: null });
    await service.em.execute('drop trigger refuse_one on capability');
    for (const index of [0, 2]) {
      const read = await agent.call('GET', `/api/v1/capabilities/${data.results[index].data.id}`);
      expect(read.status).toBe(200);
    }
  });

  test('takes 50 items and refuses 51, and none', async () => {
    const fifty = await send(Array.from({ length: 50 }, () => offer));
    expect(fifty.data).toMatchObject({ total: 50, succeeded: 50, failed: 0 });
    expect(new Set(fifty.data.results.map((result: { data: { id: string } }) => result.data.id)).size).toBe(50);
    for (const items of [Array.from({ length: 51 }, () => offer), [], null, offer]) {
      const reply = await send(items);
      expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'items' }] } });
    }
  });

  test('with the same idempotency key registers once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send([offer, { ...offer, title: '' }], headers);
    const again = await send([offer, { ...offer, title: '' }], headers);
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('refuses an unknown field beside the items', async () => {
    const reply = await agent.call('POST', path, { items: [offer], atomic: true });
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'atomic' }] } });
  });
});
