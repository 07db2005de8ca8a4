import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKey } from '../../domain/store/api-key.entity.ts';
import { startService, type Person, type Service } from '../harness.ts';

let service: Service;
let admin: Person;

beforeAll(async () => {
  service = await startService();
  ({ admin } = service);
});
afterAll(async () => await service.close());

const wallet = '/api/v1/wallet';

async function makePlatform(name: string): Promise<string> {
  const reply = await admin.call('POST', '/api/v1/admin/platforms', { name });
  expect(reply).toMatchObject({ status: 201, data: { name } });
  return reply.data.id;
}

function asAgent(apiKey: string, userId: string): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-platform-user-id': userId };
}

async function read(headers: Record<string, string>) {
  return await service.call('GET', wallet, undefined, headers);
}

describe('an API key', () => {
  it('acts for a user whom its platform was granted, and for no other', async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const platformId = await makePlatform('OpenClaw');
    const made = await admin.call('POST', `/api/v1/admin/platforms/${platformId}/keys`, { name: 'production' });
    expect(made).toMatchObject({
      status: 201,
      data: { platform_id: platformId, name: 'production', expires_at: null },
    });
    const { api_key: apiKey, prefix } = made.data;
    expect(apiKey).toMatch(/^mk_live_[\w-]{43}$/);
    expect(apiKey.startsWith(prefix)).toBe(true);
    expect(await read(asAgent(apiKey, ada.userId))).toMatchObject({ status: 403, code: 4034 });

    const grants = `/api/v1/admin/platforms/${platformId}/grants`;
    expect(await admin.call('POST', grants, { user_id: ada.userId })).toMatchObject({
      status: 201,
      data: { platform_id: platformId, user_id: ada.userId },
    });
    expect(await read(asAgent(apiKey, ada.userId))).toMatchObject({ code: 0, data: { user_id: ada.userId } });
    expect(await read(asAgent(apiKey, ada.userId.toUpperCase()))).toMatchObject({ code: 0 });
    expect(await read(asAgent(apiKey, bob.userId))).toMatchObject({ status: 403, code: 4034 });

    expect(await admin.call('DELETE', `${grants}/${ada.userId}`)).toMatchObject({
      data: { id: ada.userId, deleted: true },
    });
    expect((await read(asAgent(apiKey, ada.userId))).code).toBe(4034);
    expect((await admin.call('DELETE', `${grants}/${ada.userId}`)).code).toBe(4040);
  });

  it('stops at once when it is revoked', async () => {
    const agent = await service.agent();
    expect((await agent.call('GET', wallet)).code).toBe(0);
    const revoke = async () => await admin.call('DELETE', `/api/v1/admin/keys/${agent.apiKeyId}`);
    expect((await revoke()).data).toEqual({ id: agent.apiKeyId, deleted: true });
    expect(await agent.call('GET', wallet)).toMatchObject({ status: 401, code: 4012 });
    expect((await revoke()).code).toBe(0);
  });

  it('stops when it expires, and is not made for the past', async () => {
    const agent = await service.agent();
    await service.em.nativeUpdate(ApiKey, { id: agent.apiKeyId }, { expires_at: new Date(Date.now() - 1) });
    expect(await agent.call('GET', wallet)).toMatchObject({ status: 401, code: 4012 });
    const keys = `/api/v1/admin/platforms/${agent.platformId}/keys`;
    const past = await admin.call('POST', keys, { name: 'old', expires_at: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'expires_at' }] } });
    const later = await admin.call('POST', keys, { name: 'new', expires_at: '2100-01-01T01:00:00+01:00' });
    expect(later.data.expires_at).toBe('2100-01-01T00:00:00.000Z');
  });

  it('is refused when unknown, before anything is said of the user', async () => {
    const agent = await service.agent();
    const unknown = asAgent(`mk_live_${'A'.repeat(43)}`, agent.userId);
    expect(await read(unknown)).toMatchObject({ status: 401, code: 4012 });
    expect((await read({ ...unknown, 'x-platform-user-id': randomUUID() })).code).toBe(4012);
  });

  it('needs the header that names the user', async () => {
    const agent = await service.agent();
    for (const userId of [undefined, 'me']) {
      const headers = { 'x-api-key': agent.apiKey, ...(userId === undefined ? {} : { 'x-platform-user-id': userId }) };
      const reply = await read(headers);
      expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'X-Platform-User-Id' }] } });
    }
  });

  it('is never mixed with a bearer token', async () => {
    const [agent, human] = [await service.agent(), await service.human()];
    const mixed = { ...(await agent.headers()), ...(await human.headers()) };
    expect(await read(mixed)).toMatchObject({ status: 400, code: 4003 });
    const half = { 'x-platform-user-id': agent.userId, ...(await human.headers()) };
    expect((await read(half)).code).toBe(4003);
  });

  it('lends nobody the power of an administrator', async () => {
    const agent = await service.agent();
    await service.em.execute(`update "user" set roles = '{user,admin}' where id = ?`, [agent.userId]);
    expect(await agent.call('GET', '/api/v1/admin/platforms')).toMatchObject({ status: 403, code: 4032 });
  });
});

describe('the text of a key', () => {
  it('is shown once: no list, no replay and no table has it', async () => {
    const platformId = await makePlatform('Cursor');
    const url = `/api/v1/admin/platforms/${platformId}/keys`;
    const headers = { 'idempotency-key': randomUUID() };
    const made = await admin.call('POST', url, { name: 'once' }, headers);
    const { api_key: apiKey, ...shown } = made.data;
    const replay = await admin.call('POST', url, { name: 'once' }, headers);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay).toMatchObject({ status: 201, data: shown });
    expect(replay.data).not.toHaveProperty('api_key');

    const list = await admin.call('GET', url);
    expect(list.data).toEqual({
      items: [{ ...shown, revoked_at: null, last_used_at: null }],
      total: 1,
      page: 1,
      page_size: 20,
      has_more: false,
    });
    const tables = ['api_key', 'idempotency_record'];
    const rows = await Promise.all(tables.map(async (table) => await service.em.execute(`select * from ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(apiKey);
  });
});

describe('platforms', () => {
  it('have a name of their own, and are listed by pages', async () => {
    const names = ['Alpha', 'Beta', 'Gamma'];
    for (const name of names) await makePlatform(name);
    const twice = await admin.call('POST', '/api/v1/admin/platforms', { name: 'Beta' });
    expect(twice).toMatchObject({ status: 409, code: 4093, data: { field: 'name' } });
    const first = await admin.call('GET', '/api/v1/admin/platforms?page_size=2');
    expect(first.data).toMatchObject({
      page: 1,
      page_size: 2,
      has_more: true,
      items: [{ name: 'Gamma' }, { name: 'Beta' }],
    });
    const named = await admin.call('GET', '/api/v1/admin/platforms?name=Alpha');
    expect(named.data).toMatchObject({ total: 1, items: [{ name: 'Alpha' }] });
  });

  it('answer 4040 where there is none, and name a user who does not exist', async () => {
    const nowhere = `/api/v1/admin/platforms/${randomUUID()}`;
    expect((await admin.call('POST', `${nowhere}/keys`, { name: 'x' })).code).toBe(4040);
    expect((await admin.call('GET', `${nowhere}/keys`)).code).toBe(4040);
    expect((await admin.call('DELETE', `/api/v1/admin/keys/${randomUUID()}`)).code).toBe(4040);
    const platformId = await makePlatform('Lonely');
    const reply = await admin.call('POST', `/api/v1/admin/platforms/${platformId}/grants`, { user_id: randomUUID() });
    expect(reply).toMatchObject({ code: 4000, data: { errors: [{ path: 'user_id' }] } });
  });
});
