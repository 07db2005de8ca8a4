import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKey } from '../../domain/store/api-key.entity.ts';
import { startService, type AgentPerson, type Reply, type Service } from '../harness.ts';
import { holderOf, keyOf, type LimitedKey } from './limited-key.ts';
import type { Data } from './purchase.ts';

let service: Service;
let agent: AgentPerson;
let otherNode: string;

beforeAll(async () => {
  service = await startService();
  otherNode = await service.anotherNode();
  agent = await service.agent();
});
afterAll(async () => await service.close());

const wallet = '/api/v1/wallet';
const dayMs = 24 * 3_600_000;
const rotate = async (keyId: string, body?: Data, headers?: Record<string, string>) =>
  await service.admin.call('POST', `/api/v1/admin/keys/${keyId}/rotate`, body, headers);
const revoke = async (keyId: string) => await service.admin.call('DELETE', `/api/v1/admin/keys/${keyId}`);
const works = async (key: LimitedKey) =>
  [(await key.call('GET', wallet)).code, (await key.callAt(otherNode)('GET', wallet)).code] as const;
const expiryOf = async (id: string) => (await service.em.findOneOrFail(ApiKey, { id })).expires_at?.getTime() ?? null;
const successorOf = (reply: Reply) => holderOf(service, agent, reply.data as Data);

describe('a key that is rotated', () => {
  it('has a successor of the same limits, shown once, and works on for a day', async () => {
    const expires_at = '2100-01-01T00:00:00.000Z';
    const limits = { operations: ['read'], addresses: ['127.0.0.1'], daily_spend_limit_ut: '7.00', expires_at };
    const key = await keyOf(service, agent, limits);
    const rotated = await rotate(key.id);
    expect(rotated).toMatchObject({
      status: 201,
      data: { ...limits, name: 'limited', platform_id: agent.platformId, rotated_from: key.id },
    });
    const successor = successorOf(rotated);
    expect(successor.apiKey).toMatch(/^mk_live_[\w-]{43}$/);
    expect(successor.apiKey).not.toBe(key.apiKey);
    expect([await works(key), await works(successor)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect((await successor.call('GET', wallet, undefined, { 'x-forwarded-for': '10.0.0.1' })).code).toBe(4030);
    expect(Math.abs(Number(await expiryOf(key.id)) - Date.now() - dayMs)).toBeLessThan(10_000);
  });

  it('stops after its overlap on every node, and at once without one', async () => {
    const key = await keyOf(service, agent, {});
    const rotated = await rotate(key.id, { overlap_sec: 0 });
    expect(await works(key)).toEqual([4012, 4012]);
    expect(await works(successorOf(rotated))).toEqual([0, 0]);
    const slow = await keyOf(service, agent, {});
    await rotate(slow.id, { overlap_sec: 30 * 24 * 3_600 });
    expect(Math.abs(Number(await expiryOf(slow.id)) - Date.now() - 30 * dayMs)).toBeLessThan(10_000);
    for (const overlap_sec of [-1, 30 * 24 * 3_600 + 1, 1.5, 'soon'])
      expect((await rotate(slow.id, { overlap_sec })).code).toBe(4000);
  });

  it('never lives longer by it', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const key = await keyOf(service, agent, { expires_at });
    const rotated = await rotate(key.id);
    expect(rotated.data.expires_at).toBe(expires_at);
    expect(await expiryOf(key.id)).toBe(Date.parse(expires_at));
  });

  it('has one successor, also of many rotations at once; the successor can be rotated next', async () => {
    const key = await keyOf(service, agent, {});
    const replies = await Promise.all(Array.from({ length: 6 }, async () => await rotate(key.id)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(5).fill(409)]);
    const made = replies.find(({ status }) => status === 201);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused).toMatchObject({ code: 4093, data: { api_key_id: made?.data.id } });
    expect(await service.em.count(ApiKey, { rotated_from: key.id })).toBe(1);
    const next = await rotate(String(made?.data.id), { overlap_sec: 0 });
    expect(next.data.rotated_from).toBe(made?.data.id);
    expect(await works(successorOf(next))).toEqual([0, 0]);
  });

  it('is rotated once by a request that is sent twice, whose second answer has no key', async () => {
    const key = await keyOf(service, agent, {});
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await rotate(key.id, {}, headers), await rotate(key.id, {}, headers)];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { api_key: apiKey, ...shown } = first.data;
    expect(again.data).toEqual(shown);
    const tables = await Promise.all(
      ['api_key', 'idempotency_record'].map(async (table) => await service.em.execute(`select * from ${table}`)),
    );
    expect(JSON.stringify(tables)).not.toContain(apiKey);
  });

  it('can be rotated again while it works, once a successor that was lost is revoked', async () => {
    const key = await keyOf(service, agent, {});
    const lost = await rotate(key.id);
    await revoke(String(lost.data.id));
    const rotated = await rotate(key.id);
    expect(rotated).toMatchObject({ status: 201, data: { rotated_from: key.id } });
    expect(await works(successorOf(rotated))).toEqual([0, 0]);
  });

  it('is one that works: a revoked, an expired and an unknown one cannot be', async () => {
    const [revoked, expired] = [await keyOf(service, agent, {}), await keyOf(service, agent, {})];
    await revoke(revoked.id);
    await service.em.nativeUpdate(ApiKey, { id: expired.id }, { expires_at: new Date(Date.now() - 1) });
    for (const key of [revoked, expired]) {
      expect(await rotate(key.id)).toMatchObject({ status: 409, code: 4093 });
      expect(await service.em.count(ApiKey, { rotated_from: key.id })).toBe(0);
    }
    expect((await rotate(randomUUID())).code).toBe(4040);
    expect((await agent.call('POST', `/api/v1/admin/keys/${agent.apiKeyId}/rotate`)).code).toBe(4032);
  });
});

describe('a key that is revoked', () => {
  it('stops within a second on every node, while it is in use there', async () => {
    const key = await keyOf(service, agent, {});
    const elsewhere = key.callAt(otherNode);
    expect((await elsewhere('GET', wallet)).code).toBe(0);
    let revokedAtMs: number | null = null;
    const stopped = (async () => {
      for (;;) {
        const askedAtMs = Date.now();
        const { code } = await elsewhere('GET', wallet);
        if (code === 4012) return Date.now();
        // Whatever was asked a second after the revocation must be refused.
        expect(revokedAtMs === null || askedAtMs < revokedAtMs + 1_000).toBe(true);
      }
    })();
    await revoke(key.id);
    revokedAtMs = Date.now();
    expect((await stopped) - revokedAtMs).toBeLessThan(1_000);
    expect(await works(key)).toEqual([4012, 4012]);
  });
});
