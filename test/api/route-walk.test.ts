import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationClasses, type OperationClass } from '../../domain/caller.ts';
import { startService, type AgentPerson, type Method, type Person, type Reply, type Service } from '../harness.ts';
import { confirm, from, poll, start } from './device-flow.ts';
import { keyOf } from './limited-key.ts';
import { buyUpTo, publish } from './purchase.ts';
import { routeClasses, unwalked, type Objects, type RouteClass } from './route-class.ts';

type Headers = Record<string, string>;

/** Everybody who comes to every route, as the headers they come with. */
interface Callers {
  readonly human: Headers;
  readonly agent: Headers;
  readonly support: Headers;
  readonly mixed: Headers;
  readonly revokedKey: Headers;
  readonly revokedGrant: Headers;
  readonly expiredToken: Headers;
  readonly endedSession: Headers;
  readonly keyWithout: Readonly<Record<OperationClass, Headers>>;
}

let service: Service;
let objects: Objects;
let callers: Callers;
let owner: AgentPerson;
let stateBefore: string;

const routes = Object.entries(routeClasses).map(([route, row]) => ({ route, row }));
const named = (entrances: readonly RouteClass['entrance'][]) =>
  routes.filter(({ row }) => entrances.includes(row.entrance));
const guarded = named(['caller', 'human', 'agent', 'support', 'admin']);
const forAgents = named(['caller', 'agent']);

beforeAll(async () => {
  service = await startService();
  owner = await service.agent('owner');
  objects = await makeObjects(owner);
  callers = await makeCallers();
  stateBefore = await stateOf();
}, 60_000);
afterAll(async () => await service.close());

async function tokenOf(userId: string, roles: ('user' | 'support')[] = ['user'], at = new Date()): Promise<Headers> {
  return { authorization: `Bearer ${await service.secrets.accessTokens.sign({ id: userId, roles }, at)}` };
}

/** What the owner has: something on sale that was sold, a transaction, and a device that may act for them. */
async function makeObjects(seller: AgentPerson): Promise<Objects> {
  const buyer = await service.human('buyer');
  await service.credit(buyer, '100');
  const cap_id = await publish(seller);
  const tx_id = await buyUpTo({ service, buyer, seller, capabilityId: cap_id }, 'frozen');
  const headers = await tokenOf(seller.userId);
  const asHuman: Pick<Person, 'call'> = {
    call: async (method, path, body, more) => await service.call(method, path, body, { ...headers, ...more }),
  };
  const started = await start(service.call);
  await confirm(asHuman, started.user_code);
  expect((await poll(service.call, started)).code).toBe(0);
  const { items } = (await asHuman.call('GET', '/api/v1/connections')).data;
  const { platform_id, keys } = items.find((one: { keys: unknown[] }) => one.keys.length > 0);
  const { id: webhook_id } = (await asHuman.call('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:1/' })).data;
  const { id: delivery_id } = (await asHuman.call('POST', `/api/v1/webhooks/${webhook_id}/test`)).data;
  return { cap_id, tx_id, platform_id, key_id: keys[0].id, webhook_id, delivery_id, user_id: seller.userId };
}

async function makeCallers(): Promise<Callers> {
  const stranger = await service.human('stranger');
  const agent = await service.agent('strange-agent');
  const [revoked, ungranted] = [await service.agent('revoked'), await service.agent('ungranted')];
  const { admin } = service;
  await admin.call('DELETE', `/api/v1/admin/keys/${revoked.apiKeyId}`);
  await admin.call('DELETE', `/api/v1/admin/platforms/${ungranted.platformId}/grants/${ungranted.userId}`);
  const keyWithout = async (left: OperationClass): Promise<Headers> => {
    const operations = operationClasses.filter((one) => one !== left);
    return { 'x-api-key': (await keyOf(service, agent, { operations })).apiKey, 'x-platform-user-id': agent.userId };
  };
  const longAgo = new Date(Date.now() - 3_600_000);
  return {
    human: await stranger.headers(),
    agent: await agent.headers(),
    support: await tokenOf((await service.human('support')).userId, ['user', 'support']),
    mixed: { ...(await stranger.headers()), ...(await agent.headers()) },
    revokedKey: await revoked.headers(),
    revokedGrant: await ungranted.headers(),
    expiredToken: await tokenOf(stranger.userId, ['user'], longAgo),
    endedSession: await endedSession(),
    keyWithout: { read: await keyWithout('read'), buy: await keyWithout('buy'), sell: await keyWithout('sell') },
  };
}

async function post(path: string, body: unknown): Promise<Reply> {
  return await service.call('POST', `/api/v1/auth/${path}`, body, from());
}

async function endedSession(): Promise<Headers> {
  const credentials = { email: 'ended@example.com', password: 'correct horse battery staple' };
  await post('register', { ...credentials, display_name: 'Ended' });
  const { access_token, refresh_token } = (await post('login', credentials)).data;
  expect((await post('logout', { refresh_token })).code).toBe(0);
  return { authorization: `Bearer ${access_token}` };
}

/** Asks a route about the owner's objects, with a key for the idempotency of writes unless it is left out. */
async function ask(route: string, row: RouteClass, headers: Headers, { keyed = true } = {}): Promise<Reply> {
  const [method = '', url = ''] = route.split(' ');
  const path = url.replaceAll(/:(\w+)/g, (_, name: keyof Objects) => objects[name]);
  const query = row.query === undefined ? '' : `?${row.query}`;
  const key = method !== 'GET' && keyed ? { 'idempotency-key': randomUUID() } : {};
  return await service.call(method as Method, path + query, row.body?.(objects), { ...from(), ...key, ...headers });
}

async function codeOf(route: string, row: RouteClass, headers: Headers): Promise<number> {
  return (await ask(route, row, headers)).code;
}

/** Everything that somebody owns, as one text. When keys were used last is no part of it. */
async function stateOf(): Promise<string> {
  const tables = ['"user"', 'account', 'posting', 'transfer', 'transaction', 'event', 'capability', 'callback_secret'];
  const more = [
    'callback_delivery',
    'webhook',
    'webhook_secret',
    'webhook_delivery',
    'platform',
    'platform_grant',
    'api_key',
    'refresh_token',
  ];
  const texts = [...tables, ...more].map(async (table) => {
    const sql = `select coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, ' ' order by t::text), '') as text
      from ${table} t`;
    const [{ text }] = await service.em.execute<[{ text: string }]>(sql);
    return `${table}: ${text}`;
  });
  return (await Promise.all(texts)).join('\n');
}

function expectNothingOfOwner({ text }: Reply): void {
  expect(Object.values(objects).filter((id) => text.includes(id))).toEqual([]);
}

const known = (route: string) => route in routeClasses || unwalked.some(({ pattern }) => pattern.test(route));

/** The kinds of caller that may come in. */
const kindsOf = ({ entrance }: RouteClass) =>
  entrance === 'caller' ? (['human', 'agent'] as const) : ([entrance === 'agent' ? 'agent' : 'human'] as const);

describe('every route', () => {
  it('is classified, and no class is left without its route', () => {
    expect(service.routes.filter((route) => !known(route))).toEqual([]);
    expect(routes.map(({ route }) => route).filter((route) => !service.routes.includes(route))).toEqual([]);
    expect(unwalked.filter(({ pattern }) => !service.routes.some((route) => pattern.test(route)))).toEqual([]);
  });

  it('that names an object says what a stranger gets, and one that keys come to says what they need', () => {
    const silent = routes.filter(({ route, row }) => route.includes(':') && row.stranger === undefined);
    const open = forAgents.filter(({ row }) => row.operation === undefined);
    expect([...silent, ...open].map(({ route }) => route)).toEqual([]);
  });
});

describe('whoever has no credentials that hold', () => {
  it.each(named(['open']))('$route needs none', async ({ route, row }) => {
    // Without a body it is the body that is missed, or nothing.
    expect([0, 4000, 4001]).toContain(await codeOf(route, row, {}));
  });

  it.each(guarded)('$route refuses each by its own code', async ({ route, row }) => {
    const { mixed, revokedKey, revokedGrant, expiredToken, endedSession: ended } = callers;
    const codes = {
      none: await codeOf(route, row, {}),
      mixed: await codeOf(route, row, mixed),
      revokedKey: await codeOf(route, row, revokedKey),
      revokedGrant: await codeOf(route, row, revokedGrant),
      expiredToken: await codeOf(route, row, expiredToken),
      endedSession: await codeOf(route, row, ended),
    };
    expect(codes).toEqual({
      none: 4010,
      mixed: 4003,
      revokedKey: 4012,
      revokedGrant: 4034,
      expiredToken: 4011,
      endedSession: 4010,
    });
  });
});

describe('an address with a format of its own', () => {
  it('refuses by the same statuses whoever has no credentials that hold', async () => {
    const ours = unwalked.filter(({ guarded: isGuarded }) => isGuarded);
    const addresses = service.routes.filter((route) => ours.some(({ pattern }) => pattern.test(route)));
    expect(addresses.length).toBeGreaterThan(3);
    const { mixed, revokedKey, revokedGrant, expiredToken, endedSession: ended } = callers;
    for (const route of addresses) {
      const row = { entrance: 'caller', body: () => (route.startsWith('POST') ? {} : undefined) } as const;
      const statuses = [];
      for (const headers of [{}, mixed, revokedKey, revokedGrant, expiredToken, ended])
        statuses.push((await ask(route, row, headers)).status);
      expect(statuses, route).toEqual([401, 400, 401, 403, 401, 401]);
    }
  });
});

describe('the wrong kind of caller', () => {
  it.each(named(['human', 'support', 'admin']))('$route refuses an agent', async ({ route, row }) => {
    expect(await codeOf(route, row, callers.agent)).toBe(4032);
  });

  it.each(named(['agent']))('$route refuses a human', async ({ route, row }) => {
    expect(await codeOf(route, row, callers.human)).toBe(4032);
  });

  it.each(named(['support', 'admin']))('$route refuses a user', async ({ route, row }) => {
    expect(await codeOf(route, row, callers.human)).toBe(4030);
  });

  it.each(named(['admin']))('$route refuses support', async ({ route, row }) => {
    expect(await codeOf(route, row, callers.support)).toBe(4030);
  });

  it.each(named(['support']))('$route lets support in', async ({ route, row }) => {
    expect(await codeOf(route, row, callers.support)).toBe(0);
  });
});

describe('an agent', () => {
  it.each(forAgents)('$route needs a key that may do it', async ({ route, row }) => {
    const reply = await ask(route, row, callers.keyWithout[row.operation ?? 'read']);
    expect(reply).toMatchObject({ code: 4030, data: { operation: row.operation } });
  });

  it.each(forAgents.filter(({ row }) => row.keyed))('$route needs Idempotency-Key', async ({ route, row }) => {
    expect((await ask(route, row, callers.agent, { keyed: false })).code).toBe(4002);
  });
});

describe('a stranger', () => {
  const namesObject = guarded.filter(({ row }) => row.stranger !== undefined);
  it.each(namesObject)('$route answers $row.stranger, whichever kind asks', async ({ route, row }) => {
    for (const kind of kindsOf(row)) {
      const reply = await ask(route, row, callers[kind]);
      expect(reply.code, `${kind}: ${reply.text}`).toBe(row.stranger);
      if (row.isPublic === undefined) expectNothingOfOwner(reply);
    }
  });

  const lists = routes.filter(
    ({ route, row }) =>
      /^GET [^:]+$/.test(route) && ['caller', 'human'].includes(row.entrance) && row.stranger === undefined,
  );
  it.each(lists)('$route tells nothing of others', async ({ route, row }) => {
    for (const kind of kindsOf(row)) {
      const reply = await ask(route, row, callers[kind]);
      expect(reply.code, reply.text).toBe(0);
      if (row.isPublic === undefined) expectNothingOfOwner(reply);
    }
  });
});

describe('after all of it', () => {
  it('nothing has changed, and the ledger is sound', async () => {
    expect(await stateOf()).toBe(stateBefore);
    await service.ledgerCheck();
  });
});
