import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKey } from '../../domain/store/api-key.entity.ts';
import { DeviceSession } from '../../domain/store/device-session.entity.ts';
import { Platform } from '../../domain/store/platform.entity.ts';
import { startService, type Call, type Person, type Reply, type Service } from '../harness.ts';
import { asAgent, confirm, deviceAuth, from, lookUp, poll, start, type Started } from './device-flow.ts';
import { act, publish } from './purchase.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());

/** Makes the last poll so long ago that the interval has passed; nothing else tells time to the service. */
async function letIntervalPass({ user_code }: Started): Promise<void> {
  await service.em.nativeUpdate(DeviceSession, await where(user_code), {
    last_polled_at: new Date(Date.now() - 600_000),
  });
}

async function end({ user_code }: Started): Promise<void> {
  await service.em.nativeUpdate(DeviceSession, await where(user_code), { expires_at: new Date(Date.now() - 1) });
}

async function where(userCode: string) {
  return { user_code_hash: service.secrets.keyedHash(userCode, 'device-user-code') };
}

async function bearing(userId: string): Promise<Record<string, string>> {
  const token = await service.secrets.accessTokens.sign({ id: userId, roles: ['user'] }, new Date());
  return { authorization: `Bearer ${token}` };
}

/** A session that somebody new has approved, and its key. */
async function approved(type = 'openclaw') {
  const person = await service.human('approver');
  const session = await start(service.call, type);
  expect((await confirm(person, session.user_code)).data).toEqual({ status: 'approved', agent_platform_type: type });
  const reply = await poll(service.call, session);
  expect(reply, reply.text).toMatchObject({ status: 200, code: 0 });
  return { person, session, apiKey: String(reply.data.api_key), reply };
}

/** The person takes from all agents of a type the right to act for them. */
async function takeBack(person: Person, type: string): Promise<Reply> {
  const { id } = await service.em.findOneOrFail(Platform, { name: `device:${type}` });
  return await person.call('DELETE', `/api/v1/connections/${id}`);
}

describe('the flow', () => {
  it('leads from the start to a first purchase with the key', async () => {
    const [person, seller] = [await service.human('buyer'), await service.human('seller')];
    await service.credit(person, '50');
    const capabilityId = await publish(seller, { pricing_model: 'per_day', callback_url: undefined });

    const session = await start(service.call, 'openclaw', { ...from(), 'user-agent': 'openclaw/1.0' });
    expect(session).toEqual({
      device_code: expect.stringMatching(/^md_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_url: `http://marketplace.test/device?user_code=${session.user_code}`,
      expires_in: 600,
      interval: 5,
      agent_platform_type: 'openclaw',
    });
    const waiting = await poll(service.call, session);
    expect(waiting).toMatchObject({ status: 200, code: 4801, message: 'authorization_pending' });
    expect(waiting.data).toEqual({
      status: 'pending',
      interval: 5,
      expires_in: expect.any(Number),
      agent_platform_type: 'openclaw',
    });

    const looked = await lookUp(person, session.user_code.replace('-', ' ').toLowerCase());
    expect(looked).toMatchObject({ status: 200, code: 0 });
    expect(looked.data).toEqual({
      user_code: session.user_code,
      agent_platform_type: 'openclaw',
      status: 'pending',
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      address: expect.stringMatching(/^10\.7\./),
      user_agent: 'openclaw/1.0',
    });
    expect(await confirm(person, session.user_code)).toMatchObject({
      status: 200,
      data: { status: 'approved', agent_platform_type: 'openclaw' },
    });

    const ready = await poll(service.call, session);
    expect(ready).toMatchObject({ status: 200, code: 0, message: 'success' });
    expect(ready.data).toEqual({
      status: 'approved',
      api_key: expect.stringMatching(/^mk_live_[\w-]{43}$/),
      user_id: person.userId,
      agent_platform_type: 'openclaw',
    });
    const headers = { ...asAgent(ready.data.api_key, ready.data.user_id), 'idempotency-key': randomUUID() };
    const bought = await service.call('POST', '/api/v1/transactions', { capability_id: capabilityId }, headers);
    expect(bought, bought.text).toMatchObject({ status: 201, data: { buyer_user_id: person.userId } });
    expect((await act(person, bought.data.id, 'freeze')).data).toMatchObject({ status: 'frozen' });
    expect(await service.wallet(person)).toMatchObject({ available_ut: '40.00', frozen_ut: '10.00' });
    await service.ledgerCheck();
  });

  it('makes one platform of each type, and knows it by its kind', async () => {
    const types = ['cursor', 'cursor', 'my-own_agent2'];
    for (const type of types) await approved(type);
    const names = await service.em.find(Platform, { name: { $like: 'device:%' } });
    expect(names.filter(({ name }) => name === 'device:cursor')).toHaveLength(1);
    expect(names.map(({ name }) => name)).toContain('device:my-own_agent2');
  });

  it('is never mistaken for a partner of that name', async () => {
    const name = 'device:squatter';
    const refused = await service.admin.call('POST', '/api/v1/admin/platforms', { name });
    expect(refused).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'name' }] } });
    await service.em.insert(Platform, { id: randomUUID(), name, created_at: new Date() });
    const [person, session] = [await service.human(), await start(service.call, 'squatter')];
    expect((await confirm(person, session.user_code)).code).toBe(5000);
    expect((await lookUp(person, session.user_code)).data).toMatchObject({ status: 'pending' });
  });
});

describe('a poll', () => {
  it('before its time is told to slow down, and the interval stays grown, on every node', async () => {
    const session = await start(service.call);
    const other = await service.anotherNode();
    const there: Call = async (method, path, body, headers) => {
      const response = await fetch(other + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        headers: response.headers,
        text: '',
        ...((await response.json()) as object),
      } as never;
    };
    expect((await poll(service.call, session)).code).toBe(4801);
    const hasty = await poll(there, session);
    expect(hasty).toMatchObject({
      status: 429,
      code: 4802,
      message: 'slow_down',
      data: { status: 'pending', interval: 10 },
    });
    expect(hasty.headers.get('retry-after')).toBe('10');
    expect((await poll(service.call, session)).data).toMatchObject({ interval: 15 });
    await letIntervalPass(session);
    expect(await poll(there, session)).toMatchObject({ code: 4801, data: { interval: 15 } });
  });

  it('gets the same key again when the answer was lost, and one key for two at once', async () => {
    const [person, session] = [await service.human(), await start(service.call)];
    await confirm(person, session.user_code);
    const replies = await Promise.all(Array.from({ length: 4 }, async () => await poll(service.call, session)));
    const keys = new Set(replies.map((reply) => reply.data.api_key));
    expect(replies.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect([keys.size, ...keys]).toEqual([1, expect.stringMatching(/^mk_live_/)]);
    expect(await service.em.count(ApiKey, { user_id: person.userId })).toBe(1);
    expect((await poll(service.call, session)).data.api_key).toBe([...keys][0]);
    await end(session);
    expect(await poll(service.call, session)).toMatchObject({ status: 410, code: 4804, data: { status: 'expired' } });
  });

  it('learns that the person denied, and of an unknown code nothing', async () => {
    const [person, session] = [await service.human(), await start(service.call)];
    expect((await confirm(person, session.user_code, false)).data.status).toBe('denied');
    expect(await poll(service.call, session)).toMatchObject({ status: 403, code: 4803, message: 'access_denied' });
    expect(await service.em.count(ApiKey, { user_id: person.userId })).toBe(0);
    const unknown = await poll(service.call, { device_code: `md_${'A'.repeat(43)}` });
    expect(unknown).toMatchObject({ status: 410, code: 4804, message: 'expired_token' });
  });

  it('gets no key once the person has taken the right back', async () => {
    const [person, session] = [await service.human(), await start(service.call, 'regretted')];
    await confirm(person, session.user_code);
    expect((await takeBack(person, 'regretted')).code).toBe(0);
    expect(await poll(service.call, session)).toMatchObject({ status: 403, code: 4803 });
  });
});

describe('the session', () => {
  it('ends after DEVICE_SESSION_LIFE', async () => {
    const short = await startService({ DEVICE_SESSION_LIFE: '4s', DEVICE_POLL_INTERVAL: '1s' });
    const [session, person] = [await start(short.call), await short.human()];
    expect(session).toMatchObject({ expires_in: 4, interval: 1 });
    const endsMs = Date.parse((await lookUp(person, session.user_code)).data.expires_at);
    // Time is what ends it, and nothing tells when it has: asking until it does is asking the rule itself.
    await expect
      .poll(async () => (await lookUp(person, session.user_code)).code, { interval: 300, timeout: 15_000 })
      .toBe(4040);
    expect(Date.now()).toBeGreaterThanOrEqual(endsMs);
    expect((await poll(short.call, session)).code).toBe(4804);
    expect(await confirm(person, session.user_code)).toMatchObject({ status: 410, code: 4804 });
    await short.close();
  });

  it('is decided once: the same again is answered the same, anything else conflicts', async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const session = await start(service.call);
    const first = await confirm(ada, session.user_code);
    expect((await confirm(ada, session.user_code)).data).toEqual(first.data);
    expect(await confirm(ada, session.user_code, false)).toMatchObject({ status: 409, code: 4093 });
    expect(await confirm(bob, session.user_code)).toMatchObject({ status: 409, code: 4093 });
    expect((await lookUp(ada, session.user_code)).data.status).toBe('approved');
    expect(await lookUp(bob, session.user_code)).toMatchObject({ status: 404, code: 4040 });
    const key = { 'idempotency-key': randomUUID(), ...from() };
    expect((await confirm(ada, session.user_code, true, key)).headers.get('idempotent-replayed')).toBeNull();
    expect((await confirm(ada, session.user_code, true, key)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('of two who decide at once obeys one', async () => {
    const [ada, bob] = [await service.human('ada'), await service.human('bob')];
    const session = await start(service.call);
    const replies = await Promise.all([confirm(ada, session.user_code), confirm(bob, session.user_code)]);
    expect(replies.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 4093]));
  });
});

describe('the key', () => {
  it('acts for its user only, even where another granted the same platform', async () => {
    const [mine, other] = [await approved('claude_desktop'), await approved('claude_desktop')];
    const read = async (userId: string) =>
      await service.call('GET', '/api/v1/wallet', undefined, asAgent(mine.apiKey, userId));
    expect((await read(mine.person.userId)).data).toMatchObject({ user_id: mine.person.userId });
    expect(await read(other.person.userId)).toMatchObject({ status: 403, code: 4034 });
  });

  it('dies with the grant, and another approval does not bring it back', async () => {
    const { person, apiKey } = await approved('custom_mcp');
    const read = async () => await service.call('GET', '/api/v1/wallet', undefined, asAgent(apiKey, person.userId));
    expect((await read()).code).toBe(0);
    expect((await takeBack(person, 'custom_mcp')).code).toBe(0);
    expect((await read()).code).toBe(4012);
    const again = await start(service.call, 'custom_mcp');
    await confirm(person, again.user_code);
    expect((await poll(service.call, again)).code).toBe(0);
    expect((await read()).code).toBe(4012);
  });

  it('approves nothing: an agent is no human', async () => {
    const [{ person, apiKey }, session] = [await approved(), await start(service.call)];
    const headers = { ...asAgent(apiKey, person.userId), 'idempotency-key': randomUUID() };
    expect(await confirm(service, session.user_code, true, headers)).toMatchObject({ status: 403, code: 4032 });
    expect((await lookUp(service, session.user_code, headers)).code).toBe(4032);
    expect((await confirm(service, session.user_code, true, from())).code).toBe(4010);
    expect((await lookUp(person, session.user_code)).data.status).toBe('pending');
  });

  it('is nowhere in the database, and neither are the codes', async () => {
    const { session, apiKey } = await approved();
    const columns = await service.em.execute<{ table_name: string; column_name: string; data_type: string }[]>(
      `select table_name, column_name, data_type from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'bytea', 'json', 'jsonb', 'character varying')`,
    );
    expect(columns.filter((one) => one.table_name === 'device_session').length).toBeGreaterThanOrEqual(6);
    const secrets = [apiKey, session.device_code, session.user_code, session.user_code.replace('-', '')];
    for (const { table_name: table, column_name: column, data_type: type } of columns) {
      const hex =
        type === 'bytea' ? `encode("${column}", 'hex')` : `encode(convert_to("${column}"::text, 'UTF8'), 'hex')`;
      for (const secret of secrets) {
        const sql = `select count(*)::int as found from "${table}" where ${hex} like ?`;
        const [row] = await service.em.execute<[{ found: number }]>(sql, [`%${Buffer.from(secret).toString('hex')}%`]);
        expect({ table, column, found: row.found }).toEqual({ table, column, found: 0 });
      }
    }
    const row = await service.em.findOneOrFail(DeviceSession, await where(session.user_code));
    expect(() => service.secrets.decrypt(row.sealed_api_key ?? Buffer.alloc(0), `device-session/${row.id}`)).toThrow(
      /auth/,
    );
  });
});

describe('a request', () => {
  it('is strict', async () => {
    for (const type of ['', 'Open Claw', 'a'.repeat(51), 7, undefined]) {
      const reply = await service.call('POST', deviceAuth, { agent_platform_type: type }, from());
      expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'agent_platform_type' }] } });
    }
    const { device_code, user_code } = await start(service.call, 'a'.repeat(50));
    const person = await service.human();
    const given = [
      await service.call('POST', deviceAuth, { agent_platform_type: 'cursor', scope: 'all' }, from()),
      await service.call('POST', `${deviceAuth}/poll`, { device_code, client_id: 'x' }, from()),
      await person.call('POST', `${deviceAuth}/confirm`, { user_code, approve: true, user_id: person.userId }, from()),
      await person.call('POST', `${deviceAuth}/confirm`, { user_code, approve: 'true' }, from()),
      await person.call('GET', `${deviceAuth}/lookup?user_code=${user_code}&debug=1`, undefined, from()),
      await person.call('GET', `${deviceAuth}/lookup`, undefined, from()),
    ];
    expect(given.map(({ code }) => code)).toEqual([4000, 4000, 4000, 4000, 4000, 4000]);
  });

  it('from an unreadable address, by an agent that says odd things, is served', async () => {
    const headers = { 'x-forwarded-for': 'unknown', 'user-agent': `x${'\t'.repeat(5)}${'y'.repeat(900)}` };
    const [session, person] = [await start(service.call, 'cursor', headers), await service.human()];
    expect((await lookUp(person, session.user_code)).data).toMatchObject({
      address: null,
      user_agent: `x ${'y'.repeat(198)}`,
    });
  });

  it('is described with its states', async () => {
    const document = JSON.parse((await service.call('GET', '/api/v1/public/openapi.json')).text);
    const { responses } = document.paths[`${deviceAuth}/poll`].post;
    expect(responses['200'].description).toBe('Success with code 0, or 4801 authorization_pending');
    const schemas = '#/components/schemas';
    expect(responses['200'].content['application/json'].schema.oneOf).toMatchObject([
      { properties: { code: { const: 0 }, data: { $ref: `${schemas}/DevicePollApproved` } } },
      { properties: { code: { const: 4801 }, data: { $ref: `${schemas}/DevicePollPending` } } },
    ]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '403', '410', '429']));
    expect(document.paths[deviceAuth].post.security).toEqual([]);
    expect(document.paths[`${deviceAuth}/confirm`].post.security).toEqual([{ Bearer: [] }]);
    expect(document.components.schemas).toMatchObject({
      DeviceAuthorization: {},
      DeviceSession: {},
      DeviceDecision: {},
    });
  });

  it('of a person behind the key stays possible: the bearer still approves', async () => {
    const { person } = await approved();
    const session = await start(service.call);
    const reply = await service.call('GET', `${deviceAuth}/lookup?user_code=${session.user_code}`, undefined, {
      ...(await bearing(person.userId)),
      ...from(),
    });
    expect(reply.data).toMatchObject({ status: 'pending' });
  });
});
