import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetDevices } from '../../api/maintenance.ts';
import { DeviceSession } from '../../domain/store/device-session.entity.ts';
import { openOrm } from '../../domain/store/orm.ts';
import { startService, type Person, type Reply, type Service } from '../harness.ts';
import { confirm, deviceAuth, from, lookUp, poll, start } from './device-flow.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());

const wrongCode = 'BBBB-BBBB';

function expectLimited(reply: Reply, withinSec = 600): void {
  expect(reply, reply.text).toMatchObject({ status: 429, code: 4290 });
  expect(reply.data.retry_after_sec).toBeGreaterThan(0);
  expect(reply.data.retry_after_sec).toBeLessThanOrEqual(withinSec);
  expect(reply.headers.get('retry-after')).toBe(String(reply.data.retry_after_sec));
}

async function guess(person: Person, times: number, headers?: Record<string, string>): Promise<number[]> {
  const codes: number[] = [];
  for (let i = 0; i < times; i += 1) codes.push((await lookUp(person, wrongCode, headers ?? from())).code);
  return codes;
}

/** Ten minutes later, as far as the tries are concerned. */
async function letWindowPass(): Promise<void> {
  await service.em.execute(`update device_code_try set at = at - interval '10 minutes'`);
}

describe('guessing', () => {
  it('ends for a person after 10 wrong codes, for right ones too, until the time has passed', async () => {
    const [person, session] = [await service.human(), await start(service.call)];
    expect(new Set(await guess(person, 8))).toEqual(new Set([4040]));
    expect((await confirm(person, wrongCode)).code).toBe(4040);
    expect((await lookUp(person, 'no code at all')).code).toBe(4040);
    expectLimited(await lookUp(person, session.user_code));
    expectLimited(await confirm(person, session.user_code));
    expect((await lookUp(await service.human(), session.user_code)).code).toBe(0);
    await letWindowPass();
    expect((await lookUp(person, session.user_code)).code).toBe(0);
  });

  it('ends for an address after 20 wrong codes of whomever', async () => {
    const address = { 'x-forwarded-for': '10.9.0.1' };
    const [ada, bob, eve] = [await service.human(), await service.human(), await service.human()];
    await guess(ada, 9, address);
    await guess(bob, 9, address);
    expect(await guess(eve, 2, address)).toEqual([4040, 4040]);
    expectLimited(await lookUp(eve, wrongCode, address));
    expect((await lookUp(eve, wrongCode)).code).toBe(4040);
  });

  it('is counted exactly, however many guess at once', async () => {
    const person = await service.human();
    const replies = await Promise.all(Array.from({ length: 30 }, async () => await lookUp(person, wrongCode)));
    expect(replies.filter(({ code }) => code === 4040)).toHaveLength(10);
    expect(replies.filter(({ code }) => code === 4290)).toHaveLength(20);
  });

  it('costs nothing who has the right code', async () => {
    const [person, session] = [await service.human(), await start(service.call)];
    for (let i = 0; i < 15; i += 1) expect((await lookUp(person, session.user_code)).code).toBe(0);
    await confirm(person, session.user_code);
    expect((await confirm(person, session.user_code)).code).toBe(0);
  });

  it('counts the session of somebody else, which answers as if it were none', async () => {
    const [ada, eve] = [await service.human(), await service.human()];
    const session = await start(service.call);
    await confirm(ada, session.user_code);
    const [decided, unknown] = [await lookUp(eve, session.user_code), await lookUp(eve, wrongCode)];
    expect({ ...decided.data, code: decided.code, message: decided.message }).toEqual({
      ...unknown.data,
      code: 4040,
      message: unknown.message,
    });
    await guess(eve, 8);
    expectLimited(await lookUp(eve, session.user_code));
  });

  it('is not what five people do who look at one code; a sixth ends the session', async () => {
    const session = await start(service.call);
    const people = await Promise.all(Array.from({ length: 6 }, async () => await service.human()));
    const codes = [];
    for (const person of people) codes.push((await lookUp(person, session.user_code)).code);
    expect(codes).toEqual([0, 0, 0, 0, 0, 4040]);
    expect((await poll(service.call, session)).code).toBe(4804);
    const [first = service.admin] = people;
    expect((await confirm(first, session.user_code)).code).toBe(4804);
  });
});

describe('starting', () => {
  it('is limited to 10 sessions a minute for each address', async () => {
    const address = { 'x-forwarded-for': '10.9.1.1' };
    for (let i = 0; i < 10; i += 1) await start(service.call, 'cursor', address);
    expectLimited(await service.call('POST', deviceAuth, { agent_platform_type: 'cursor' }, address), 60);
    expect((await start(service.call, 'cursor')).agent_platform_type).toBe('cursor');
  });

  it('is limited to 20 sessions of an address that wait, on all nodes together', async () => {
    const nodes = [service.url, await service.anotherNode(), await service.anotherNode()];
    // An IPv6 holder has a whole network.
    const ask = async (index: number) =>
      await fetch(nodes[Math.floor(index / 9)] + deviceAuth, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8::${index + 1}` },
        body: JSON.stringify({ agent_platform_type: 'cursor' }),
      });
    const statuses = await Promise.all(Array.from({ length: 26 }, async (_, index) => (await ask(index)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });

  it('is unavailable while 100,000 sessions wait, and goes on when maintenance has taken away what ended', async () => {
    await service.em.execute(
      `insert into device_session (id, device_code_hash, user_code_hash, agent_platform_type, network, status, interval_sec,
         created_at, expires_at)
       select gen_random_uuid(), sha256(('d' || i)::bytea), sha256(('u' || i)::bytea), 'flood', 'flood', 'pending', 5, now(),
         now() + interval '1 hour' from generate_series(1, 100000) i`,
    );
    const full = await service.call('POST', deviceAuth, { agent_platform_type: 'cursor' }, from());
    expect(full).toMatchObject({ status: 503, code: 5030, data: { retry_after_sec: 60 } });
    await service.em.execute(`delete from device_session where network = 'flood' and get_byte(user_code_hash, 0) > 10`);
    await service.em.nativeUpdate(DeviceSession, { network: 'flood' }, { expires_at: new Date() });
    const kept = await start(service.call);
    await letWindowPass();
    const orm = await openOrm(service.databaseUrl, 2);
    await forgetDevices({ orm, now: () => new Date() });
    await orm.close(true);
    expect(await service.em.count(DeviceSession, { network: 'flood' })).toBe(0);
    const [{ tries }] = await service.em.execute<[{ tries: number }]>(
      'select count(*)::int as tries from device_code_try',
    );
    expect(tries).toBe(0);
    expect((await poll(service.call, kept)).code).toBe(4801);
  });
});
