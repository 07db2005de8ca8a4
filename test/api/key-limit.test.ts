import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { startService, type AgentPerson, type Method, type Service } from '../harness.ts';
import { keyOf } from './limited-key.ts';
import { act, publish } from './purchase.ts';

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
const from = (address: string) => ({ 'x-forwarded-for': address });
const update = async (id: string, changes: unknown) =>
  await service.admin.call('PUT', `/api/v1/admin/keys/${id}`, changes);
const keysOf = (platformId: string) => `/api/v1/admin/platforms/${platformId}/keys`;

describe('the limits of a key', () => {
  it('are what the administrator gave, in one form; without any it may do everything', async () => {
    const limits = {
      operations: ['sell', 'read', 'read'],
      addresses: ['10.1.2.3/8', '10.0.0.0/8', '::FFFF:192.0.2.7', '2001:DB8::1/32'],
      daily_spend_limit_ut: 12.5,
      expires_at: '2100-01-01T00:00:00Z',
    };
    const made = await service.admin.call('POST', keysOf(agent.platformId), { name: 'tight', ...limits });
    const shown = {
      name: 'tight',
      user_id: null,
      operations: ['read', 'sell'],
      addresses: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
      daily_spend_limit_ut: '12.50',
      rotated_from: null,
      expires_at: '2100-01-01T00:00:00.000Z',
    };
    expect(made).toMatchObject({ status: 201, data: shown });
    const plain = await service.admin.call('POST', keysOf(agent.platformId), { name: 'plain' });
    expect(plain.data).toMatchObject({
      operations: ['read', 'buy', 'sell'],
      addresses: null,
      daily_spend_limit_ut: null,
      expires_at: null,
    });
    const { items } = (await service.admin.call('GET', keysOf(agent.platformId))).data;
    expect(items[1]).toMatchObject({ ...shown, last_used_at: null, revoked_at: null });
  });

  it('are refused, with the field, where they say nothing', async () => {
    for (const [field, value] of [
      ['operations', []],
      ['operations', ['write']],
      ['addresses', []],
      ['addresses', ['10.0.0.1/33']],
      ['addresses', Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`)],
      ['daily_spend_limit_ut', '-1'],
      ['daily_spend_limit_ut', '1.1234567'],
      ['expires_at', '2020-01-01T00:00:00Z'],
    ] as const) {
      const created = await service.admin.call('POST', keysOf(agent.platformId), { name: 'x', [field]: value });
      expect(created, `${field} ${String(value)}`).toMatchObject({ status: 422, code: 4000 });
      expect(created.data.errors[0].path.split('.')[0]).toBe(field);
      expect((await update(agent.apiKeyId, { [field]: value })).code).toBe(4000);
    }
    expect(
      (await service.admin.call('POST', keysOf(agent.platformId), { name: 'x', user_id: randomUUID() })).code,
    ).toBe(4000);
  });

  it('can be changed, what is left out stays, and the change holds on the next request of every node', async () => {
    const key = await keyOf(service, agent, {
      operations: ['read'],
      addresses: ['10.0.0.1'],
      daily_spend_limit_ut: '5',
    });
    expect((await key.callAt(otherNode)('GET', wallet, undefined, from('10.0.0.2'))).code).toBe(4030);
    const changed = await update(key.id, { addresses: null });
    expect(changed.data).toMatchObject({ addresses: null, operations: ['read'], daily_spend_limit_ut: '5.00' });
    expect((await key.callAt(otherNode)('GET', wallet, undefined, from('10.0.0.2'))).code).toBe(0);
    expect((await update(key.id, { daily_spend_limit_ut: null, operations: ['buy'] })).data).toMatchObject({
      operations: ['buy'],
      daily_spend_limit_ut: null,
    });
    expect((await key.callAt(otherNode)('GET', wallet)).code).toBe(4030);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect((await update(key.id, { expires_at: soon })).data.expires_at).toBe(soon);
  });

  it('of a key that is revoked, expired or unknown cannot be changed', async () => {
    const key = await keyOf(service, agent, {});
    await service.admin.call('DELETE', `/api/v1/admin/keys/${key.id}`);
    expect(await update(key.id, { expires_at: null })).toMatchObject({ status: 409, code: 4093 });
    expect((await update(randomUUID(), {})).code).toBe(4040);
    expect(await agent.call('PUT', `/api/v1/admin/keys/${key.id}`, {})).toMatchObject({ code: 4032 });
  });
});

describe('the addresses of a key', () => {
  it('are the only ones it may be used from, on every node and every route', async () => {
    const key = await keyOf(service, agent, { addresses: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32'] });
    for (const node of [service.url, otherNode]) {
      const at = async (address: string) => await key.callAt(node)('GET', wallet, undefined, from(address));
      for (const address of ['192.0.2.7', '10.9.8.7', '::ffff:10.9.8.7', '2001:db8:7::1'])
        expect((await at(address)).code, address).toBe(0);
      for (const address of ['192.0.2.8', '11.0.0.1', '2001:db9::1', '::1', 'unknown']) {
        const reply = await at(address);
        expect(reply, address).toMatchObject({ status: 403, code: 4030, data: null });
        expect(reply.message).toContain('this address');
      }
    }
    const stream = `/api/v1/transactions/${randomUUID()}/events`;
    expect((await key.call('GET', stream, undefined, from('192.0.2.8'))).code).toBe(4030);
    expect((await key.call('GET', stream, undefined, from('192.0.2.7'))).code).toBe(4040);
  });

  it('are not told to somebody whose key is revoked', async () => {
    const key = await keyOf(service, agent, { addresses: ['192.0.2.7'] });
    await service.admin.call('DELETE', `/api/v1/admin/keys/${key.id}`);
    expect((await key.call('GET', wallet, undefined, from('192.0.2.8'))).code).toBe(4012);
  });
});

const nobody = randomUUID();
/** Every way in that an agent has, by what it is; the answer of a key that may is anything but 4030. */
const routes = {
  read: [
    ['GET', wallet],
    ['GET', '/api/v1/wallet/entries'],
    ['GET', '/api/v1/capabilities'],
    ['GET', `/api/v1/capabilities/${nobody}`],
    ['GET', '/api/v1/transactions'],
    ['GET', `/api/v1/transactions/${nobody}`],
    ['GET', `/api/v1/transactions/${nobody}/events`],
  ],
  buy: [
    ['POST', '/api/v1/transactions'],
    ['POST', `/api/v1/capabilities/${nobody}/invoke`],
    ...['freeze', 'confirm', 'cancel', 'dispute', 'request-changes'].map(
      (name) => ['POST', `/api/v1/transactions/${nobody}/${name}`] as const,
    ),
  ],
  sell: [
    ['POST', '/api/v1/capabilities'],
    ['POST', '/api/v1/capabilities/batch'],
    ['PUT', `/api/v1/capabilities/${nobody}`],
    ['DELETE', `/api/v1/capabilities/${nobody}`],
    ['GET', `/api/v1/capabilities/${nobody}/deliveries`],
    ['POST', `/api/v1/capabilities/${nobody}/rotate-secret`],
    ['POST', `/api/v1/capabilities/${nobody}/test-callback`],
    ...['accept', 'reject', 'deliver'].map((name) => ['POST', `/api/v1/transactions/${nobody}/${name}`] as const),
  ],
} as const satisfies Record<string, readonly (readonly [Method, string])[]>;
const classes = ['read', 'buy', 'sell'] as const;

describe('the operations of a key', () => {
  it.each(classes)('%s: what belongs to it goes through, all else is refused by name', async (mine) => {
    const key = await keyOf(service, agent, { operations: [mine] });
    for (const wanted of classes) {
      for (const [method, path] of routes[wanted]) {
        const reply = await key.call(method, path, method === 'GET' ? undefined : {});
        const what = `${mine} on ${method} ${path}: ${reply.text}`;
        if (wanted === mine) {
          expect(reply.code, what).not.toBe(4030);
          expect([200, 404, 422], what).toContain(reply.status);
        } else {
          expect(reply, what).toMatchObject({
            status: 403,
            code: 4030,
            data: { operation: wanted, operations: [mine] },
          });
          expect(reply.message).toContain(`may not ${wanted}`);
        }
      }
    }
  });

  it('are stated for every operation that an agent may ask for', async () => {
    const { paths } = JSON.parse((await service.call('GET', '/api/v1/public/openapi.json')).text) as {
      paths: Record<string, Record<string, { description?: string; security: Record<string, unknown>[] }>>;
    };
    const open = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security.some((one) => 'ApiKey' in one))
        .map(([method, { description }]) => [`${method} ${path}`, description ?? ''] as const),
    );
    expect(open.length).toBeGreaterThan(15);
    const silent = open.filter(([, text]) => !/need the operation `(read|buy|sell)`/.test(text));
    expect(silent.map(([name]) => name)).toEqual([]);
    // What became of the calls of a callback is the seller's business.
    const sellers = /\/deliveries$/;
    const wrong = open.filter(
      ([name, text]) => name.startsWith('get ') && !sellers.test(name) && !text.includes('`read`'),
    );
    expect(wrong).toEqual([]);
  });

  it('stop a purchase half way: nothing moves for a key that may only read', async () => {
    const [buyer, seller] = [await service.agent(), await service.human()];
    await service.credit(buyer, '50');
    const bought = await buyer.call('POST', '/api/v1/transactions', { capability_id: await publish(seller) });
    const reader = await keyOf(service, buyer, { operations: ['read', 'sell'] });
    expect((await act({ ...buyer, ...reader }, bought.data.id, 'freeze')).code).toBe(4030);
    expect(await service.wallet(buyer)).toMatchObject({ available_ut: '50.00', frozen_ut: '0.00' });
    await service.ledgerCheck();
  });
});

describe('last_used_at', () => {
  it('tells when a key was used, within seconds, and is not written again within a minute', async () => {
    const key = await keyOf(service, agent, {});
    const lastUse = async (): Promise<string | null> => {
      const { items } = (await service.admin.call('GET', `${keysOf(agent.platformId)}?page_size=100`)).data;
      return (
        (items as { id: string; last_used_at: string | null }[]).find(({ id }) => id === key.id)?.last_used_at ?? null
      );
    };
    expect(await lastUse()).toBeNull();
    const before = Date.now();
    await key.call('GET', wallet);
    const used = Promise.withResolvers<string>();
    await pollUntil('the note', { timeoutMs: 15_000, everyMs: 100 }, async () => {
      const at = await lastUse();
      if (at === null) throw new Error('not noted yet');
      used.resolve(at);
    });
    const first = await used.promise;
    expect(Math.abs(Date.parse(first) - before)).toBeLessThan(5_000);
    await key.callAt(otherNode)('GET', wallet);
    // Another key, used later on the other node, is noted: so was everything before it.
    const marker = await keyOf(service, agent, {});
    await marker.callAt(otherNode)('GET', wallet);
    await pollUntil('the marker', { timeoutMs: 15_000, everyMs: 100 }, async () => {
      const [row] = await service.em.execute<[{ last_used_at: string | null }]>(
        'select last_used_at from api_key where id = ?',
        [marker.id],
      );
      if (row.last_used_at === null) throw new Error('not noted yet');
    });
    expect(await lastUse()).toBe(first);
  });
});
