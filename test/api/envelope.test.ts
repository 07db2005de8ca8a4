import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startService, type Person, type Reply, type Service } from '../harness.ts';

let service: Service;
let admin: Person;

beforeAll(async () => {
  // One test breaks the database on purpose.
  service = await startService({ LOG_LEVEL: 'fatal' });
  ({ admin } = service);
});
afterAll(async () => await service.close());

const platforms = '/api/v1/admin/platforms';

/** The four fields and nothing else, time in milliseconds, and a request id in the headers. */
function expectEnvelope({ text, timestamp, headers }: Reply): void {
  expect(Object.keys(z.looseObject({}).parse(JSON.parse(text))).toSorted()).toEqual([
    'code',
    'data',
    'message',
    'timestamp',
  ]);
  expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}

describe('every answer is an envelope', () => {
  it('on success, with code 0 and message success', async () => {
    const reply = await service.call('GET', '/api/v1/categories');
    expectEnvelope(reply);
    expect(reply).toMatchObject({ status: 200, code: 0, message: 'success' });
    expect(reply.data).toHaveLength(22);
  });

  it('at an unknown address: 4040', async () => {
    for (const path of ['/', '/api/v1/nothing', '/api/v2/categories', `/api/v1/capabilities/${'x'.repeat(300)}`]) {
      const reply = await service.call('GET', path);
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 404, code: 4040, data: null });
    }
  });

  it('for a wrong method: 4050 with Allow', async () => {
    for (const method of ['DELETE', 'PATCH'] as const) {
      const reply = await service.call(method, platforms);
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 405, code: 4050 });
      const allowed = reply.headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining(['GET', 'POST']));
      expect(reply.data.allow).toEqual(allowed);
    }
  });

  it('for bad JSON: 4001', async () => {
    for (const body of ['{"name":', '{"name": "a",}', 'name=a', '{"__proto__": {"name": "a"}}']) {
      const reply = await admin.call('POST', platforms, body);
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 400, code: 4001 });
    }
  });

  it('for a body above the limit: 4130', async () => {
    const reply = await admin.call('POST', platforms, { name: 'x'.repeat(300_000) });
    expectEnvelope(reply);
    expect(reply).toMatchObject({ status: 413, code: 4130 });
  });

  it('for another media type: 4150', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const reply = await admin.call('POST', platforms, 'name=a', { 'content-type': type });
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 415, code: 4150 });
    }
  });

  it('for wrong fields: 4000, each named by its path', async () => {
    const reply = await admin.call('POST', platforms, { name: 7 });
    expectEnvelope(reply);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'name' }] } });
    const none = await admin.call('POST', platforms);
    expect(none).toMatchObject({ status: 422, code: 4000 });
    const query = await admin.call('GET', `${platforms}?page=0&page_size=101`);
    expect(query.data.errors.map(({ path }: { path: string }) => path)).toEqual(['page', 'page_size']);
    expect((await admin.call('GET', `${platforms}/not-a-uuid/keys`)).data.errors).toMatchObject([
      { path: 'platform_id' },
    ]);
  });

  it('for unknown fields: 4000, each named', async () => {
    const reply = await admin.call('POST', platforms, { name: 'a', nmae: 'b', id: 'c' });
    expect(reply).toMatchObject({ status: 422, code: 4000 });
    expect(reply.data.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(['id', 'nmae']);
  });

  it('without credentials, and with wrong ones: 4010', async () => {
    const replies = [
      await service.call('GET', '/api/v1/wallet'),
      await service.call('GET', '/api/v1/wallet', undefined, { authorization: 'Bearer nonsense' }),
    ];
    for (const reply of replies) {
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 401, code: 4010, data: null });
    }
  });

  it('for an address that cannot be decoded: 4001', async () => {
    const reply = await rawGet('/api/v1/capabilities/%zz');
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ code: 4001, data: null, timestamp: expect.any(Number) });
  });

  it('when something breaks: 5000, and no internals in it', async () => {
    await service.em.execute('alter table platform rename to platform_gone');
    const reply = await admin.call('GET', platforms);
    await service.em.execute('alter table platform_gone rename to platform');
    expectEnvelope(reply);
    expect(reply).toMatchObject({ status: 500, code: 5000, data: null });
    expect(reply.text).not.toMatch(/platform|select|relation|at /);
  });
});

describe('X-Request-Id', () => {
  it('is new for every request, and is not taken from the client', async () => {
    const headers = { 'x-request-id': 'chosen-by-the-client' };
    const ids = [];
    for (let i = 0; i < 3; i += 1) {
      ids.push((await service.call('GET', '/api/v1/categories', undefined, headers)).headers.get('x-request-id'));
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('chosen-by-the-client');
  });
});

/** `fetch` mends such an address before it sends it. */
async function rawGet(path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { hostname, port } = new URL(service.url);
  const sent = httpRequest({ hostname, port, path }, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (part: string) => (body += part));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
  });
  sent.on('error', reject).end();
  return await promise;
}
