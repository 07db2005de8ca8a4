import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../api/auth/api-key.ts';
import { ApiKey } from '../../domain/store/api-key.entity.ts';
import { grantPlatform } from '../../domain/store/platform-grant.store.ts';
import { startService, type Call, type Person, type Service } from '../harness.ts';

let service: Service;
let otherNode: string;

beforeAll(async () => {
  service = await startService();
  otherNode = await service.anotherNode();
});
afterAll(async () => await service.close());

const base = '/api/v1/connections';
const wallet = '/api/v1/wallet';

/** A platform that several users have granted, as approvals on their devices make it. */
async function devicePlatform(users: readonly Person[]): Promise<string> {
  const id = v7();
  await service.em.execute(`insert into platform (id, name, kind, created_at) values (?, ?, 'device', now())`, [
    id,
    id,
  ]);
  for (const { userId } of users) await grantPlatform(service.em, id, userId, new Date());
  return id;
}

interface BoundKey {
  readonly id: string;
  readonly prefix: string;
  readonly read: (url?: string) => Promise<number>;
}

async function boundKey(platformId: string, { userId }: Person, changes: { at?: Date; expiresAt?: Date } = {}) {
  const at = changes.at ?? new Date();
  const { row, apiKey } = await service.em.transactional(async (em) =>
    makeApiKey(em, { platformId, userId, name: 'cursor', expiresAt: changes.expiresAt ?? null, at }),
  );
  const headers = { 'x-api-key': apiKey, 'x-platform-user-id': userId };
  const read = async (url = service.url) => {
    const response = await fetch(url + wallet, { headers });
    return ((await response.json()) as { code: number }).code;
  };
  return { id: row.id, prefix: row.prefix, read } satisfies BoundKey;
}

const list = async (call: Call, query = '') => await call('GET', base + query);

describe("a user's connections", () => {
  it('are the platforms that may act for them, with the keys that are theirs alone', async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const platformId = await devicePlatform([ada, bob]);
    const older = await boundKey(platformId, ada, { at: new Date('2026-01-01T00:00:00Z') });
    const newer = await boundKey(platformId, ada);
    await boundKey(platformId, bob);
    const reply = await list(ada.call);
    expect(reply.data).toMatchObject({ total: 1, page: 1, page_size: 20, has_more: false });
    expect(reply.data.items).toEqual([
      {
        platform_id: platformId,
        platform_name: platformId,
        platform_kind: 'device',
        created_at: expect.stringMatching(/Z$/),
        keys: [
          {
            id: newer.id,
            name: 'cursor',
            prefix: newer.prefix,
            created_at: expect.any(String),
            last_used_at: null,
            expires_at: null,
          },
          {
            id: older.id,
            name: 'cursor',
            prefix: older.prefix,
            created_at: '2026-01-01T00:00:00.000Z',
            last_used_at: null,
            expires_at: null,
          },
        ],
      },
    ]);
  });

  it("show no key of the platform's own, none that is over, and at most 20", async () => {
    const ada = await service.human('ada');
    const partner = await service.agent();
    await grantPlatform(service.em, partner.platformId, ada.userId, new Date());
    const platformId = await devicePlatform([ada]);
    const start = Date.now() - 60_000;
    const keys: string[] = [];
    for (let index = 0; index < 22; index += 1)
      keys.push((await boundKey(platformId, ada, { at: new Date(start + index) })).id);
    await boundKey(platformId, ada, { expiresAt: new Date(Date.now() - 1) });
    const revoked = await boundKey(platformId, ada);
    await service.em.nativeUpdate(ApiKey, { id: revoked.id }, { revoked_at: new Date() });
    const { items } = (await list(ada.call)).data as { items: { platform_kind: string; keys: { id: string }[] }[] };
    const of = (kind: string) => items.find(({ platform_kind }) => platform_kind === kind)?.keys.map(({ id }) => id);
    expect(of('partner')).toEqual([]);
    expect(of('device')).toEqual(keys.toReversed().slice(0, 20));
  });

  it('come in pages, newest first', async () => {
    const ada = await service.human('ada');
    const platforms: string[] = [];
    for (let index = 0; index < 3; index += 1) platforms.push(await devicePlatform([ada]));
    const first = await list(ada.call, '?page_size=2');
    const second = await list(ada.call, '?page_size=2&page=2');
    expect(first.data).toMatchObject({ total: 3, has_more: true });
    const ids = [...first.data.items, ...second.data.items].map((item: { platform_id: string }) => item.platform_id);
    expect(ids.toSorted()).toEqual(platforms.toSorted());
    expect((await list(ada.call, '?page_size=0')).code).toBe(4000);
    expect((await list(ada.call, '?platform=x')).code).toBe(4000);
  });

  it('are out of reach of agents and of nobody', async () => {
    const agent = await service.agent();
    for (const [method, path] of [
      ['GET', base],
      ['DELETE', `${base}/${agent.platformId}`],
      ['DELETE', `${base}/${agent.platformId}/keys/${agent.apiKeyId}`],
    ] as const) {
      expect(await agent.call(method, path)).toMatchObject({ status: 403, code: 4032 });
      expect(await service.call(method, path)).toMatchObject({ status: 401, code: 4010 });
    }
    expect((await agent.call('GET', wallet)).code).toBe(0);
  });
});

describe('a connection that is deleted', () => {
  it('stops the platform and its keys for this user within a second on every node, and for nobody else', async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const platformId = await devicePlatform([ada, bob]);
    const [mine, theirs] = [await boundKey(platformId, ada), await boundKey(platformId, bob)];
    expect([await mine.read(), await mine.read(otherNode)]).toEqual([0, 0]);
    const deleted = await ada.call('DELETE', `${base}/${platformId}`);
    expect(deleted).toMatchObject({ status: 200, data: { id: platformId, deleted: true } });
    expect([await mine.read(otherNode), await mine.read()]).toEqual([4012, 4012]);
    expect(await theirs.read()).toBe(0);
    expect((await list(ada.call)).data.total).toBe(0);
    expect((await ada.call('DELETE', `${base}/${platformId}`)).code).toBe(4040);
    // A later grant brings no revoked key back.
    await grantPlatform(service.em, platformId, ada.userId, new Date());
    expect(await mine.read()).toBe(4012);
  });

  it("leaves a partner's key, which acts for others, in force for them", async () => {
    const partner = await service.agent('partner');
    const ada = await service.human('ada');
    await grantPlatform(service.em, partner.platformId, ada.userId, new Date());
    const asAda = { 'x-platform-user-id': ada.userId };
    expect((await partner.call('GET', wallet, undefined, asAda)).data.user_id).toBe(ada.userId);
    expect((await ada.call('DELETE', `${base}/${partner.platformId}`)).code).toBe(0);
    expect(await partner.callAt(otherNode)('GET', wallet, undefined, asAda)).toMatchObject({ status: 403, code: 4034 });
    expect((await partner.call('GET', wallet)).code).toBe(0);
  });

  it('is deleted once by a request that is sent twice', async () => {
    const ada = await service.human('ada');
    const platformId = await devicePlatform([ada]);
    const headers = { 'idempotency-key': randomUUID() };
    const twice = [
      await ada.call('DELETE', `${base}/${platformId}`, undefined, headers),
      await ada.call('DELETE', `${base}/${platformId}`, undefined, headers),
    ];
    expect(twice.map(({ code }) => code)).toEqual([0, 0]);
  });
});

describe('a key of a connection', () => {
  it('is revoked by its user, at once on every node, and the other keys go on', async () => {
    const ada = await service.human('ada');
    const platformId = await devicePlatform([ada]);
    const [one, other] = [await boundKey(platformId, ada), await boundKey(platformId, ada)];
    const path = `${base}/${platformId}/keys/${one.id}`;
    expect((await ada.call('DELETE', path)).data).toEqual({ id: one.id, deleted: true });
    expect([await one.read(otherNode), await one.read()]).toEqual([4012, 4012]);
    expect(await other.read()).toBe(0);
    expect((await ada.call('DELETE', path)).code).toBe(0);
    const { items } = (await list(ada.call)).data as { items: { keys: { id: string }[] }[] };
    expect(items[0]?.keys.map(({ id }) => id)).toEqual([other.id]);
  });

  it("is nobody else's to revoke: not another user's, not a partner's, not under another platform", async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const [platformId, otherId] = [await devicePlatform([ada, bob]), await devicePlatform([ada])];
    const key = await boundKey(platformId, ada);
    const partner = await service.agent();
    await grantPlatform(service.em, partner.platformId, ada.userId, new Date());
    const attempts = [
      await bob.call('DELETE', `${base}/${platformId}/keys/${key.id}`),
      await ada.call('DELETE', `${base}/${otherId}/keys/${key.id}`),
      await ada.call('DELETE', `${base}/${partner.platformId}/keys/${partner.apiKeyId}`),
      await ada.call('DELETE', `${base}/${platformId}/keys/${randomUUID()}`),
    ];
    expect(attempts.map(({ code }) => code)).toEqual([4040, 4040, 4040, 4040]);
    expect(await key.read()).toBe(0);
    expect((await partner.call('GET', wallet)).code).toBe(0);
  });
});
