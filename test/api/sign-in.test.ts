import { decodeJwt } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { boundedQueue } from '../../api/auth/bounded-queue.ts';
import { openEndedSessions } from '../../api/auth/ended-session.ts';
import { passwordWork } from '../../api/auth/password.ts';
import { startSession } from '../../api/auth/session.ts';
import { limitedAttempt } from '../../api/auth/sign-in-limit.ts';
import { signInLimit } from '../../domain/identity/sign-in.ts';
import { RefreshToken } from '../../domain/store/refresh-token.entity.ts';
import { User } from '../../domain/store/user.entity.ts';
import { startService, type Reply, type Service } from '../harness.ts';

const password = 'correct horse battery staple';
const wrong = 'not the password';
// How long word may take from node to node on a busy machine; it is there within milliseconds.
const wordOnItsWay = { timeout: 5_000, interval: 10 };
let service: Service;
let elsewhere: string;
let lastAddress = 0;

beforeAll(async () => {
  // One test makes the database fail, which the log would tell at length.
  service = await startService({ LOG_LEVEL: 'silent' });
  elsewhere = await service.anotherNode();
});
afterAll(async () => await service.close());

interface Asked {
  readonly at?: string;
  readonly token?: string;
  readonly from?: string;
}

/** A call from an address of its own, unless one is given. */
async function ask(path: string, body?: unknown, { at = service.url, token, from }: Asked = {}): Promise<Reply> {
  lastAddress += 1;
  const headers: Record<string, string> = {
    'x-forwarded-for': from ?? `10.7.${lastAddress >> 8}.${lastAddress & 255}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const method = path === 'me' ? 'GET' : 'POST';
  const response = await fetch(`${at}/api/v1/auth/${path}`, { method, headers, body: JSON.stringify(body) ?? null });
  return { ...((await response.json()) as Reply), status: response.status, headers: response.headers };
}

const login = async (email: string, typed = password, asked: Asked = {}) =>
  await ask('login', { email, password: typed }, asked);

async function signUp(email: string): Promise<Reply> {
  expect((await ask('register', { email, password, display_name: 'Ada' })).status).toBe(201);
  return await login(email);
}

async function isLetIn(token: string, at: string): Promise<boolean> {
  const { code } = await ask('me', undefined, { token, at });
  expect([0, 4010]).toContain(code);
  return code === 0;
}

async function expectOutEverywhere(token: string): Promise<void> {
  expect(await isLetIn(token, service.url)).toBe(false);
  await vi.waitFor(async () => expect(await isLetIn(token, elsewhere)).toBe(false), wordOnItsWay);
}

async function verificationsOf(work: () => Promise<unknown>): Promise<number> {
  const before = passwordWork().verifications;
  await work();
  return passwordWork().verifications - before;
}

/** Begins the first, which waits where it writes its refresh token until the second waits for it. */
async function meeting(first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<readonly [Reply, Reply]> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const countOfWaiting = async () => (await service.em.execute<unknown[]>(waiting)).length;
  await service.em.execute(`create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$`);
  await service.em.execute(`create trigger wait_at_gate before insert on refresh_token
    for each row execute function wait_at_gate()`);
  try {
    const both = await service.em.transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(1)');
      const begun = first();
      await expect.poll(countOfWaiting, wordOnItsWay).toBe(1);
      const met = second();
      await expect.poll(countOfWaiting, wordOnItsWay).toBe(2);
      return [begun, met] as const;
    });
    return await Promise.all(both);
  } finally {
    await service.em.execute('drop function wait_at_gate cascade');
  }
}

const nodeOf = (index: number) => (index % 2 === 0 ? service.url : elsewhere);
const sessionOf = ({ data }: Reply) => String(decodeJwt(data.access_token)['sid']);
const change = async (token: string, current_password: string, new_password = `${password} 2`) =>
  await ask('password', { current_password, new_password }, { token });

describe('failed sign-ins', () => {
  it.each([
    ['an account', 'limited@example.com', true],
    ['an address that nobody has', 'nobody@example.com', false],
  ])('of %s: ten in 15 minutes over all nodes, not one more however many come at once', async (_, email, exists) => {
    if (exists) await signUp(email);
    const guesses = Array.from({ length: 30 }, (__, index) => index);
    let replies: Reply[] = [];
    const checked = await verificationsOf(async () => {
      replies = await Promise.all(guesses.map((index) => login(email, wrong, { at: nodeOf(index) })));
    });
    expect(replies.filter(({ code }) => code === 4010).length).toBe(signInLimit.accountFailures);
    expect(replies.filter(({ code }) => code === 4290).length).toBe(20);
    expect(checked).toBe(signInLimit.accountFailures);
  });

  it('are counted one after the other: the next waits for one that is being written', async () => {
    const address = '10.98.0.1';
    const fail = async (em = service.em) => await limitedAttempt({ em, address }, 'queue', async () => null);
    for (let i = 1; i < signInLimit.accountFailures; i += 1) await fail();
    const waiting = `select 1 from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`;
    const [next] = await service.em.transactional(async (em) => {
      await fail(em);
      const begun = [fail()];
      // It may be refused before somebody waits for it.
      begun[0]?.catch(() => undefined);
      await vi.waitFor(async () => expect(await service.em.execute<unknown[]>(waiting)).toHaveLength(1));
      // In a list, which is not waited for.
      return begun;
    });
    await expect(next).rejects.toMatchObject({ errorName: 'rate_limited' });
  });

  it('beyond the limit look at no password, right or wrong, and say when to come back', async () => {
    const opened = await signUp('owner@example.com');
    for (let i = 0; i < signInLimit.accountFailures; i += 1) await login('Owner@Example.com ', wrong);
    const checked = await verificationsOf(async () => {
      for (const typed of [wrong, password]) {
        const reply = await login('owner@example.com', typed, { at: elsewhere });
        expect(reply).toMatchObject({ status: 429, code: 4290 });
        expect(reply.data.retry_after_sec).toBeGreaterThan(800);
        expect(reply.data.retry_after_sec).toBeLessThanOrEqual(signInLimit.windowSec);
        expect(reply.headers.get('retry-after')).toBe(String(reply.data.retry_after_sec));
      }
    });
    expect(checked).toBe(0);
    // Whoever is signed in stays so: nobody can be thrown out by guessing.
    expect(await isLetIn(opened.data.access_token, service.url)).toBe(true);
    expect((await ask('refresh', { refresh_token: opened.data.refresh_token })).code).toBe(0);
  });

  it('are forgotten after 15 minutes, and a success is none', async () => {
    const email = 'patient@example.com';
    await signUp(email);
    for (let i = 0; i < signInLimit.accountFailures - 1; i += 1) await login(email, wrong);
    for (let i = 0; i < 3; i += 1) expect((await login(email)).code).toBe(0);
    await login(email, wrong);
    expect((await login(email)).code).toBe(4290);
    await service.em.execute(`update sign_in_try set at = at - interval '15 minutes'`);
    expect((await login(email)).code).toBe(0);
  });

  it('count for the network address too, and so do taken addresses at registration', async () => {
    await signUp('taken@example.com');
    const from = '10.99.0.1';
    const fail = async () => await limitedAttempt({ em: service.em, address: from }, null, async () => null);
    for (let i = 1; i < signInLimit.addressFailures; i += 1) await fail();
    const body = { email: 'taken@example.com', password, display_name: 'Other' };
    expect((await ask('register', body, { from })).code).toBe(4093);
    expect((await ask('register', { ...body, email: 'free@example.com' }, { from, at: elsewhere })).code).toBe(4290);
    expect((await login('taken@example.com', password, { from })).code).toBe(4290);
    expect((await login('taken@example.com')).code).toBe(0);
  });

  it('leave nothing of what was typed in the database', async () => {
    await login('my-password-in-the-wrong-field', wrong);
    const rows = await service.em.execute<unknown[]>('select * from sign_in_try');
    expect(JSON.stringify(rows)).not.toMatch(/wrong-field/);
  });
});

describe('a password', () => {
  it('is verified once, whether the account exists or not', async () => {
    await signUp('known@example.com');
    expect(await verificationsOf(async () => await login('known@example.com', wrong))).toBe(1);
    expect(await verificationsOf(async () => await login('unknown@example.com', wrong))).toBe(1);
    const { email } = await service.human('no password');
    expect(await verificationsOf(async () => await login(email, wrong))).toBe(1);
  });

  it('has no character NUL', async () => {
    const body = { email: 'nul@example.com', password: 'long enough\0, is it', display_name: 'Nul' };
    const reply = await ask('register', body);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'password' }] } });
  });

  it('waits for few others: a flood gets 5030, is not counted as failed, and the service goes on', async () => {
    await service.em.execute('delete from sign_in_try');
    const reader = await service.human();
    const flood = Array.from({ length: 120 }, (_, index) => login(`flood-${index}@example.com`, wrong));
    expect((await reader.call('GET', '/api/v1/wallet')).code).toBe(0);
    const replies = await Promise.all(flood);
    const [checked, refused] = [4010, 5030].map((code) => replies.filter((reply) => reply.code === code));
    expect(refused?.length).toBeGreaterThan(0);
    expect((checked?.length ?? 0) + (refused?.length ?? 0)).toBe(flood.length);
    expect(refused?.[0]?.headers.get('retry-after')).toBe('1');
    const [tries] = await service.em.execute<[{ count: string }]>('select count(*) from sign_in_try');
    expect(Number(tries.count)).toBe(checked?.length);
  });

  it('is hashed in a queue that runs a few at once, lets a few wait, and refuses the rest', async () => {
    const queue = boundedQueue({ running: 2, waiting: 3 });
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const runs = gates.map((gate, index) =>
      queue.run(async () => {
        begun.push(index);
        await gate.promise;
      }),
    );
    await expect(queue.run(async () => 'none')).rejects.toMatchObject({ errorName: 'unavailable' });
    expect(begun).toEqual([0, 1]);
    gates[1]?.reject(new Error('one fails'));
    await expect(runs[1]).rejects.toThrow('one fails');
    gates[0]?.resolve();
    await runs[0];
    await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3]));
    for (const gate of gates) gate.resolve();
    await Promise.all([runs[2], runs[3], runs[4]]);
    expect(await queue.run(async () => 'room again')).toBe('room again');
  });
});

describe('a change of password', () => {
  it('ends the other sessions at once, keeps this one, and the old password opens nothing', async () => {
    const email = 'changing@example.com';
    const [mine, other] = [await signUp(email), await login(email)];
    expect(await change(mine.data.access_token, password)).toMatchObject({ code: 0, data: { ended_sessions: 1 } });
    await expectOutEverywhere(other.data.access_token);
    expect((await ask('refresh', { refresh_token: other.data.refresh_token })).code).toBe(4010);
    expect(await isLetIn(mine.data.access_token, elsewhere)).toBe(true);
    expect((await ask('refresh', { refresh_token: mine.data.refresh_token })).code).toBe(0);
    expect((await login(email)).code).toBe(4010);
    expect((await login(email, `${password} 2`)).code).toBe(0);
  });

  it('is no change where the other sessions cannot be ended with it', async () => {
    const email = 'half-way@example.com';
    const [mine, other] = [await signUp(email), await login(email)];
    await service.em.execute(`create function refuse_end() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await service.em.execute(`create trigger refuse_end before update of revoked_at on refresh_token
      for each row execute function refuse_end()`);
    try {
      expect((await change(mine.data.access_token, password)).code).toBe(5000);
    } finally {
      await service.em.execute('drop function refuse_end cascade');
    }
    expect((await login(email, `${password} 2`)).code).toBe(4010);
    const told = `select 1 from audit_entry where action = 'user.change_password' and actor_user_id = ?`;
    expect(await service.em.execute(told, [mine.data.user.id])).toEqual([]);
    expect(await change(mine.data.access_token, password)).toMatchObject({ code: 0, data: { ended_sessions: 1 } });
    await expectOutEverywhere(other.data.access_token);
  });

  it.each(['refresh', 'login'])(
    'waits for a %s under way, which it does not spoil, and ends what came',
    async (way) => {
      const email = `${way}-under-way@example.com`;
      const [mine, other] = [await signUp(email), await login(email)];
      const body = way === 'refresh' ? { refresh_token: other.data.refresh_token } : { email, password };
      const [come, changed] = await meeting(
        () => ask(way, body),
        () => change(mine.data.access_token, password),
      );
      expect(come.code).toBe(0);
      expect(changed).toMatchObject({ code: 0, data: { ended_sessions: way === 'refresh' ? 1 : 2 } });
      await expectOutEverywhere(come.data.access_token);
      const living = { user_id: mine.data.user.id, used_at: null, revoked_at: null };
      expect(await service.em.count(RefreshToken, living)).toBe(1);
    },
  );

  it('leaves no session to a sign-in that was checked against the old password', async () => {
    const { data } = await signUp('late@example.com');
    const user = await service.em.findOneOrFail(User, { id: data.user.id });
    expect((await change(data.access_token, password)).code).toBe(0);
    const { em, secrets, settings } = service;
    const endedSessions = { has: () => false, add: () => undefined, close: async () => undefined };
    const request = { caller: null, address: '10.7.0.1', requestId: 'none', log: pino({ level: 'silent' }) };
    const context = { em, secrets, settings, endedSessions, now: () => new Date(), ...request };
    expect(await startSession(context, user)).toBeNull();
    expect(await service.em.count(RefreshToken, { user_id: user.id })).toBe(1);
  });

  it('needs the current password, and a wrong one counts as a failed sign-in', async () => {
    const { data } = await signUp('stolen@example.com');
    for (let i = 0; i < signInLimit.accountFailures; i += 1)
      expect(await change(data.access_token, wrong)).toMatchObject({ status: 403, code: 4030 });
    expect((await change(data.access_token, password)).code).toBe(4290);
    expect(await change(data.access_token, password, 'short')).toMatchObject({ code: 4000 });
    expect((await ask('password', { current_password: password, new_password: password })).code).toBe(4010);
  });

  it('happens once of two at the same time', async () => {
    const { data } = await signUp('two-changes@example.com');
    const both = [1, 2].map(async (one) => await change(data.access_token, password, `${password} ${one}`));
    const codes = (await Promise.all(both)).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 4093]);
  });
});

describe('the end of a session', () => {
  it('stops its access tokens on every node at once', async () => {
    const email = 'leaving@example.com';
    const [leaving, staying] = [await signUp(email), await login(email)];
    expect(await isLetIn(leaving.data.access_token, elsewhere)).toBe(true);
    expect((await ask('logout', { refresh_token: leaving.data.refresh_token })).code).toBe(0);
    await expectOutEverywhere(leaving.data.access_token);
    expect(await isLetIn(staying.data.access_token, elsewhere)).toBe(true);
  });

  it('by logout-all is that of all sessions of the caller, and of nobody else', async () => {
    const email = 'everywhere@example.com';
    const [phone, desk, stranger] = [await signUp(email), await login(email), await signUp('stranger@example.com')];
    const next = await ask('refresh', { refresh_token: desk.data.refresh_token });
    const reply = await ask('logout-all', undefined, { token: phone.data.access_token });
    expect(reply).toMatchObject({ status: 200, code: 0, data: { ended_sessions: 2 } });
    for (const { data } of [phone, desk, next]) await expectOutEverywhere(data.access_token);
    for (const { data } of [phone, next])
      expect((await ask('refresh', { refresh_token: data.refresh_token })).code).toBe(4010);
    expect(await isLetIn(stranger.data.access_token, elsewhere)).toBe(true);
    const again = await login(email);
    expect(await isLetIn(again.data.access_token, service.url)).toBe(true);
    expect(await isLetIn(again.data.access_token, elsewhere)).toBe(true);
    expect((await (await service.agent()).call('POST', '/api/v1/auth/logout-all')).code).toBe(4032);
  });

  it('by logout-all leaves no living token beside a refresh under way', async () => {
    const { data } = await signUp('racing@example.com');
    let last = data;
    for (let round = 0; round < 5; round += 1) {
      const [refreshed] = await Promise.all([
        ask('refresh', { refresh_token: last.refresh_token }, { at: elsewhere }),
        ask('logout-all', undefined, { token: last.access_token }),
      ]);
      const living = { user_id: data.user.id, used_at: null, revoked_at: null };
      expect(await service.em.count(RefreshToken, living)).toBe(0);
      if (refreshed.code === 0) await expectOutEverywhere(refreshed.data.access_token);
      last = (await login('racing@example.com')).data;
    }
  });

  it('comes when a refresh token is used twice at once, without grace, for the winner too', async () => {
    const { data } = await signUp('both@example.com');
    const refresh = async (at: string) => await ask('refresh', { refresh_token: data.refresh_token }, { at });
    const replies = await Promise.all([refresh(service.url), refresh(elsewhere)]);
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 4010]);
    const winner = replies.find(({ code }) => code === 0)?.data;
    for (const token of [winner.access_token, data.access_token])
      for (const at of [service.url, elsewhere])
        await vi.waitFor(async () => expect(await isLetIn(token, at)).toBe(false), wordOnItsWay);
    expect((await ask('refresh', { refresh_token: winner.refresh_token })).code).toBe(4010);
  });

  it('of which no word came is learnt when the connection to the database is opened again', async () => {
    const { data } = await signUp('unheard@example.com');
    await service.em.transactional(async (em) => {
      // Without triggers, so that nobody is told.
      await em.execute('set local session_replication_role = replica');
      await em.nativeUpdate(RefreshToken, { user_id: data.user.id }, { revoked_at: new Date() });
    });
    await service.em.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'marketplace-session-end' and datname = current_database()`,
    );
    for (const at of [service.url, elsewhere])
      await vi.waitFor(async () => expect(await isLetIn(data.access_token, at)).toBe(false), wordOnItsWay);
  });

  it('is asked of the database, never guessed, while no word can come', async () => {
    const [ended, open] = [await signUp('ended@example.com'), await signUp('open@example.com')];
    await ask('logout', { refresh_token: ended.data.refresh_token });
    const deaf = openEndedSessions(() => service.em, 'postgres://nobody@127.0.0.1:1/nothing');
    expect(await deaf.has(sessionOf(ended))).toBe(true);
    expect(await deaf.has(sessionOf(open))).toBe(false);
    await deaf.close();
  });
});

describe('an access token', () => {
  it('names itself and its session, which lasts through refreshes', async () => {
    const first = await signUp('named@example.com');
    const second = await ask('refresh', { refresh_token: first.data.refresh_token });
    const [one, two] = [first, second].map(({ data }) => decodeJwt(data.access_token));
    expect(one?.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(two?.jti).not.toBe(one?.jti);
    expect(two?.['sid']).toBe(one?.['sid']);
    expect((await login('named@example.com')).data.access_token).toSatisfy(
      (token: string) => decodeJwt(token)['sid'] !== one?.['sid'],
    );
  });
});
