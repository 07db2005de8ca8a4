import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ensureAdmin } from '../../api/auth/bootstrap-admin.ts';
import { openSecrets } from '../../api/auth/secrets.ts';
import { RefreshToken } from '../../domain/store/refresh-token.entity.ts';
import { SigningKey } from '../../domain/store/signing-key.entity.ts';
import { User } from '../../domain/store/user.entity.ts';
import { startService, type Reply, type Service } from '../harness.ts';

const jwkSet = z.object({ keys: z.array(z.record(z.string(), z.string())) });
const password = 'correct horse battery staple';
let service: Service;
let lastAddress = 0;

beforeAll(async () => {
  service = await startService({ SIGNUP_GRANT_UT: '25' });
});
afterAll(async () => await service.close());

/** Each call from an address of its own, so that the limits of sign-in stay out of these tests. */
function from(): Record<string, string> {
  lastAddress += 1;
  return { 'x-forwarded-for': `10.0.${lastAddress >> 8}.${lastAddress & 255}` };
}

async function post(path: string, body: unknown): Promise<Reply> {
  return await service.call('POST', `/api/v1/auth/${path}`, body, from());
}

async function signUp(email: string): Promise<Reply> {
  const registered = await post('register', { email, password, display_name: 'Ada' });
  expect(registered.status).toBe(201);
  return await post('login', { email, password });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

describe('register', () => {
  it('answers the user, with the e-mail address in one form', async () => {
    const reply = await post('register', { email: '  Grace@Example.COM ', password, display_name: ' Grace ' });
    expect(reply).toMatchObject({ status: 201, code: 0, message: 'success' });
    expect(reply.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'grace@example.com',
      display_name: 'Grace',
      roles: ['user'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('opens a wallet with the signup grant, and the ledger stays sound', async () => {
    const { data } = await signUp('granted@example.com');
    const wallet = await service.call('GET', '/api/v1/wallet', undefined, bearer(data.access_token));
    expect(wallet.data).toMatchObject({ user_id: data.user.id, available_ut: '25.00', frozen_ut: '0.00' });
    await service.ledgerCheck();
  });

  it('takes an e-mail address once, also of two at the same time', async () => {
    const body = { email: 'twice@example.com', password, display_name: 'Twice' };
    const replies = await Promise.all([
      post('register', body),
      post('register', { ...body, email: 'TWICE@example.com' }),
    ]);
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 4093]);
    expect(await service.em.count(User, { email: body.email })).toBe(1);
  });

  it.each([
    ['a short password', { password: 'elevenchars' }, 'password'],
    ['a long password', { password: 'x'.repeat(201) }, 'password'],
    ['no e-mail address', { email: 'nobody' }, 'email'],
    ['a role', { roles: ['admin'] }, 'roles'],
    ['a display name with a control character', { display_name: 'a\u0000b' }, 'display_name'],
  ])('refuses %s and names the field', async (_, wrong, path) => {
    const reply = await post('register', { email: 'wrong@example.com', password, display_name: 'Wrong', ...wrong });
    expect(reply).toMatchObject({ status: 422, code: 4000 });
    expect(reply.data.errors).toMatchObject([{ path }]);
  });

  it('keeps passwords as argon2id with the parameters of OWASP', async () => {
    await signUp('hashed@example.com');
    const user = await service.em.findOneOrFail(User, { email: 'hashed@example.com' });
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('login', () => {
  it('answers a session, whose access token shows who is signed in', async () => {
    const { status, data } = await signUp('ada@example.com');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      user: { email: 'ada@example.com', roles: ['user'] },
    });
    const shown = await service.call('GET', '/api/v1/auth/me', undefined, bearer(data.access_token));
    expect(shown.data).toEqual(data.user);
  });

  it('gives a wrong password and an unknown address the same answer', async () => {
    await signUp('known@example.com');
    const wrong = await post('login', { email: 'known@example.com', password: 'not the password' });
    const unknown = await post('login', { email: 'unknown@example.com', password });
    expect(wrong).toMatchObject({ status: 401, code: 4010, data: null });
    expect(unknown).toMatchObject({ status: 401, code: 4010, data: null, message: wrong.message });
  });

  it('knows an address in any case, and a password in any Unicode form', async () => {
    const accented = 'Zürich-Genève-Zoë';
    await post('register', { email: 'unicode@example.com', password: accented.normalize('NFC'), display_name: 'Ü' });
    const reply = await post('login', { email: 'Unicode@EXAMPLE.com', password: accented.normalize('NFD') });
    expect(reply.code).toBe(0);
  });
});

describe('refresh', () => {
  it('trades a token for its successor', async () => {
    const first = await signUp('rotate@example.com');
    const second = await post('refresh', { refresh_token: first.data.refresh_token });
    expect(second).toMatchObject({ status: 200, code: 0, data: { expires_in: 900, user: first.data.user } });
    expect(second.data.refresh_token).not.toBe(first.data.refresh_token);
    expect((await post('refresh', { refresh_token: second.data.refresh_token })).code).toBe(0);
  });

  it('revokes the whole family when a token is used twice, and leaves other sign-ins alone', async () => {
    const first = await signUp('reuse@example.com');
    const other = await post('login', { email: 'reuse@example.com', password });
    const second = await post('refresh', { refresh_token: first.data.refresh_token });
    expect(await post('refresh', { refresh_token: first.data.refresh_token })).toMatchObject({
      status: 401,
      code: 4010,
    });
    expect((await post('refresh', { refresh_token: second.data.refresh_token })).code).toBe(4010);
    expect((await post('refresh', { refresh_token: other.data.refresh_token })).code).toBe(0);
  });

  it('leaves no living token when one is used many times at once', async () => {
    const { data } = await signUp('race@example.com');
    const next = await post('refresh', { refresh_token: data.refresh_token });
    const tokens = [next.data.refresh_token, data.refresh_token, next.data.refresh_token, data.refresh_token];
    const replies = await Promise.all(tokens.map((refresh_token) => post('refresh', { refresh_token })));
    expect(replies.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1);
    const living = { user_id: data.user.id, used_at: null, revoked_at: null };
    expect(await service.em.count(RefreshToken, living)).toBe(0);
  });

  it('refuses a token after 30 days, and an unknown one', async () => {
    const { data } = await signUp('old@example.com');
    await service.em.nativeUpdate(RefreshToken, { user_id: data.user.id }, { expires_at: new Date(Date.now() - 1000) });
    expect(await post('refresh', { refresh_token: data.refresh_token })).toMatchObject({ status: 401, code: 4011 });
    expect(await post('refresh', { refresh_token: 'mr_unknown' })).toMatchObject({ status: 401, code: 4010 });
  });

  it('keeps no token in clear', async () => {
    const { data } = await signUp('stored@example.com');
    const rows = await service.em.execute<unknown[]>('select * from refresh_token where user_id = ?', [data.user.id]);
    expect(JSON.stringify(rows)).not.toContain(data.refresh_token.slice(3));
  });
});

describe('logout', () => {
  it('ends the session, and says the same of an unknown token', async () => {
    const { data } = await signUp('bye@example.com');
    expect(await post('logout', { refresh_token: data.refresh_token })).toMatchObject({
      code: 0,
      data: { logged_out: true },
    });
    expect((await post('refresh', { refresh_token: data.refresh_token })).code).toBe(4010);
    expect(await post('logout', { refresh_token: 'mr_unknown' })).toMatchObject({
      code: 0,
      data: { logged_out: true },
    });
  });
});

async function me(token: string): Promise<Reply> {
  return await service.call('GET', '/api/v1/auth/me', undefined, bearer(token));
}

describe('access tokens', () => {
  it('are verified by the published keys', async () => {
    const { data } = await signUp('jwks@example.com');
    const reply = await fetch(`${service.url}/.well-known/jwks.json`);
    expect(reply.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const { keys } = jwkSet.parse(await reply.json());
    // One for each thing that is signed: tokens, agent cards, push notifications.
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
      expect(key).not.toHaveProperty('d');
    }
    const jwks = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(data.access_token, jwks, {
      issuer: service.settings.publicUrl,
      audience: service.settings.publicUrl,
    });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: data.user.id, roles: ['user'], jti: expect.any(String) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
  });

  it('expire after 15 minutes', async () => {
    const person = { id: (await service.human()).userId, roles: ['user'] as const };
    const old = await service.secrets.accessTokens.sign(person, new Date(Date.now() - 901_000));
    expect(await me(old)).toMatchObject({ status: 401, code: 4011 });
  });

  it('are refused with another issuer, audience, type, algorithm, key, or a changed body', async () => {
    const { data } = await signUp('forged@example.com');
    const [header = '', body = '', signature = ''] = String(data.access_token).split('.');
    const claims = z.looseObject({ sub: z.string() }).parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    const admin = Buffer.from(JSON.stringify({ ...claims, roles: ['admin'] })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(new Uint8Array(32));
    const elsewhere = await openSecrets(service.em, { ...service.settings, publicUrl: 'http://elsewhere.test' });
    const foreign = await elsewhere.accessTokens.sign({ id: data.user.id, roles: ['user'] }, new Date());
    const forged = [`${header}.${admin}.${signature}`, `${none}.${body}.`, hmac, foreign, 'nonsense', ''];
    for (const token of forged) expect(await me(token)).toMatchObject({ status: 401, code: 4010 });
    const basic = await service.call('GET', '/api/v1/auth/me', undefined, { authorization: 'Basic YTpi' });
    expect(basic).toMatchObject({ status: 401, code: 4010 });
  });

  it('are signed by one key however many processes start at once', async () => {
    await service.em.nativeUpdate(SigningKey, {}, { retired_at: new Date() });
    const opened = await Promise.all([1, 2, 3].map(async () => await openSecrets(service.em, service.settings)));
    expect(new Set(opened.map(({ jwks }) => jwks.keys.map(({ kid }) => kid).join())).size).toBe(1);
    expect(await service.em.count(SigningKey, { retired_at: null })).toBe(1);
    const stored = await service.em.execute<unknown[]>('select * from signing_key');
    expect(JSON.stringify(stored)).not.toContain('"d"');
  });
});

describe('the first administrator', () => {
  it('is made once, by one of two processes, and is left alone afterwards', async () => {
    const settings = { bootstrapAdminEmail: 'Root@Example.com', bootstrapAdminPassword: password };
    const start = async () => await ensureAdmin(service.em, settings, () => new Date());
    await Promise.all([start(), start()]);
    await ensureAdmin(service.em, { ...settings, bootstrapAdminPassword: 'another password' }, () => new Date());
    expect((await post('login', { email: 'root@example.com', password })).data.user.roles).toEqual(['user', 'admin']);
  });

  it('alone reaches the admin addresses', async () => {
    const human = await service.human();
    expect(await human.call('GET', '/api/v1/admin/platforms')).toMatchObject({ status: 403, code: 4030 });
    expect(await service.call('GET', '/api/v1/admin/platforms')).toMatchObject({ status: 401, code: 4010 });
    expect(await service.admin.call('GET', '/api/v1/admin/platforms')).toMatchObject({ status: 200, code: 0 });
  });
});
