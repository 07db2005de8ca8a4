import { exportSPKI, importJWK, jwtVerify, SignJWT, type CryptoKey, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issuerKeysOf } from '../../api/auth/issuer-key.ts';
import { hashPassword } from '../../api/auth/password.ts';
import { parseSettings } from '../../domain/settings.ts';
import { User } from '../../domain/store/user.entity.ts';
import { createUser } from '../../domain/store/user.store.ts';
import { startService, type Person, type Reply, type Service } from '../harness.ts';
import { clientToken, signInAt } from '../oidc/issuer-client.ts';
import { startIssuer, type IssuerProcess } from '../oidc/issuer-process.ts';
import { publish } from './purchase.ts';

const audience = 'https://marketplace.example/api';
const password = 'correct horse battery staple';
// An unknown key is looked for at most every two seconds.
const pause = { timeout: 10_000, interval: 200 };
let issuer: IssuerProcess;
let service: Service;

beforeAll(async () => {
  issuer = await startIssuer();
  service = await startService({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, SIGNUP_GRANT_UT: '50' });
});
afterAll(async () => {
  await service.close();
  await issuer.stop();
});

async function call(token: string, path = 'auth/me', body?: unknown, at = service.url): Promise<Reply> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${at}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) ?? null });
  return { ...((await response.json()) as Reply), status: response.status, headers: response.headers };
}

async function tokenOf(name: string): Promise<string> {
  return (await signInAt(issuer.url, name, audience)).access_token;
}

const nowSec = () => Math.floor(Date.now() / 1000);
const claimsOf = (sub: string): JWTPayload => ({ sub, aud: audience, exp: nowSec() + 300, client_id: 'web', jti: sub });

const post = async (path: string, body: unknown) => await service.call('POST', `/api/v1/auth/${path}`, body);
const open = async (keys: JWTVerifyGetKey) => await jwtVerify(await issuer.sign(claimsOf('keys')), keys);
const set = (env: Record<string, string>) => () => parseSettings(env);

describe('a person of an external issuer', () => {
  it('signs in there, has an account and a wallet here, and buys', async () => {
    const token = await tokenOf('ada');
    const me = await call(token);
    expect(me).toMatchObject({ status: 200, data: { email: 'ada@people.example', display_name: 'Person ada' } });
    expect((await call(token, 'wallet')).data).toMatchObject({ user_id: me.data.id, available_ut: '50.00' });
    const id = await publish(await staff());
    const bought = await call(token, 'transactions', { capability_id: id });
    expect(bought).toMatchObject({ status: 201, data: { buyer_user_id: me.data.id } });
    const frozen = await call(token, `transactions/${bought.data.id}/freeze`, {});
    expect(frozen.data).toMatchObject({ status: 'frozen' });
    expect((await call(token, 'wallet')).data).toMatchObject({ available_ut: '40.00', frozen_ut: '10.00' });
    await service.ledgerCheck();
  });

  it('is made once, however many first requests there are, and found again with another token', async () => {
    const [first, second] = [await tokenOf('grace'), await tokenOf('grace')];
    const replies = await Promise.all([first, second, first, second, first].map((token) => call(token)));
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(await service.em.count(User, { display_name: 'Person grace' })).toBe(1);
  });

  it('is no administrator, whatever a claim says', async () => {
    const token = await tokenOf('mallory');
    expect((await call(token)).data.roles).toEqual(['user']);
    expect(await call(token, 'admin/platforms')).toMatchObject({ status: 403, code: 4030 });
  });

  it('is never taken for the holder of an account with the same address, nor believed an unverified one', async () => {
    const taken = { email: 'taken@people.example', passwordHash: null, displayName: 'Owner', roles: ['user'] as const };
    const id = crypto.randomUUID();
    await service.em.transactional((em) => createUser(em, { ...taken, id, grantUt: '0', at: new Date() }));
    const other = await call(await tokenOf('taken'));
    expect(other.data).toMatchObject({ email: null, display_name: 'Person taken' });
    expect(other.data.id).not.toBe(id);
    expect((await call(await tokenOf('unverified-1'))).data.email).toBeNull();
  });
});

/** With an issuer set, a token of the harness opens the door to staff only. */
async function staff(): Promise<Person> {
  const person = await service.human('seller');
  const user = { id: person.userId, roles: ['user', 'support'] as const };
  const token = await service.secrets.accessTokens.sign(user, new Date());
  const headers = { authorization: `Bearer ${token}` };
  return { ...person, call: async (method, path, body) => await service.call(method, path, body, headers) };
}

describe('a token', () => {
  it('of the issuer is taken with the type of RFC 9068 or the plain one', async () => {
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', 'jwt']) {
      const token = await issuer.sign(claimsOf(`typ ${typ}`), { typ });
      expect(await call(token)).toMatchObject({ status: 200 });
    }
  });

  it('that is expired is 4011, a few seconds of difference aside', async () => {
    const late = await issuer.sign({ ...claimsOf('late'), exp: nowSec() - 60 });
    expect(await call(late)).toMatchObject({ status: 401, code: 4011 });
    const barely = await issuer.sign({ ...claimsOf('barely'), exp: nowSec() - 2 });
    expect(await call(barely)).toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, unknown>, Record<string, string>?]>([
    ['for another audience', { aud: 'https://other.example' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['that is not valid yet', { nbf: nowSec() + 3600 }],
    ['without expiry', { exp: undefined }],
    ['without subject', { sub: undefined }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
    ['with a control character in the subject', { sub: 'a\u0000b' }],
    ['that is an ID token by its nonce', { nonce: 'n' }],
    ['that is an ID token by its hash of an access token', { at_hash: 'x' }],
    ['that calls itself an ID token', { typ: 'ID' }],
    ['that is bound to a key', { cnf: { jkt: 'x' } }],
    ['of a client itself', { sub: 'web' }],
    ['for signing out', {}, { typ: 'logout+jwt' }],
    ['by an unknown key', {}, { kid: 'unknown' }],
  ])('%s is refused, and makes no account', async (_, changes, header = {}) => {
    const before = await service.em.count(User);
    const token = await issuer.sign({ ...claimsOf('refused'), ...changes }, header);
    expect(await call(token)).toMatchObject({ status: 401, code: 4010 });
    expect(await service.em.count(User)).toBe(before);
  });

  it('that is tampered with, unsigned, or signed by HMAC with the public key is refused', async () => {
    const [header = '', , signature = ''] = (await issuer.sign(claimsOf('real'))).split('.');
    const body = Buffer.from(JSON.stringify({ iss: issuer.url, ...claimsOf('forged') })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const { kid = '', kty = '', n = '', e = '' } = issuer.key();
    const spki = await exportSPKI((await importJWK({ kty, n, e }, 'RS256')) as CryptoKey);
    const hmac = await new SignJWT({ iss: issuer.url, ...claimsOf('forged') })
      .setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' })
      .sign(Buffer.from(spki));
    const forged = [
      `${header}.${body}.${signature}`,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      hmac,
      'a.b.c',
    ];
    for (const token of forged) expect(await call(token)).toMatchObject({ status: 401, code: 4010 });
  });

  it('really given by the issuer is refused for another resource, as an ID token, and to a client', async () => {
    const elsewhere = await signInAt(issuer.url, 'ada', 'https://other.example/api');
    expect(await call(elsewhere.access_token)).toMatchObject({ status: 401, code: 4010 });
    expect(await call((await signInAt(issuer.url, 'ada', audience)).id_token ?? '')).toMatchObject({ code: 4010 });
    expect(await call(await clientToken(issuer.url, audience))).toMatchObject({ code: 4010 });
  });
});

describe('the built-in sign-in beside an issuer', () => {
  it('is closed, and says where to sign in, the same to everybody', async () => {
    const registered = await post('register', { email: 'new@example.com', password, display_name: 'New' });
    expect(registered).toMatchObject({ status: 403, code: 4030, message: expect.stringContaining(issuer.url) });
    const passwordHash = await hashPassword(password);
    const user = { email: 'plain@example.com', passwordHash, displayName: 'Plain', roles: ['user'] as const };
    const id = crypto.randomUUID();
    await service.em.transactional((em) => createUser(em, { ...user, id, grantUt: '0', at: new Date() }));
    const answers = [
      await post('login', { email: 'plain@example.com', password }),
      await post('login', { email: 'plain@example.com', password: 'wrong' }),
      await post('login', { email: 'nobody@example.com', password }),
      await post('login', { email: service.admin.email, password }),
    ];
    for (const { status, code, message } of answers)
      expect({ status, code, message }).toEqual({ status: 403, code: 4030, message: registered.message });
    const old = await service.secrets.accessTokens.sign({ id, roles: ['user'] }, new Date());
    expect(await call(old)).toMatchObject({ status: 401, code: 4010, message: registered.message });
  });

  it('stays open for administrators and support', async () => {
    const passwordHash = await hashPassword(password);
    for (const role of ['admin', 'support'] as const) {
      const user = { email: `${role}@example.com`, passwordHash, displayName: role, roles: ['user', role] as const };
      const made = { ...user, id: crypto.randomUUID(), grantUt: '0', at: new Date() };
      await service.em.transactional((em) => createUser(em, made));
      const { data } = await post('login', { email: user.email, password });
      expect(await call(data.access_token)).toMatchObject({ status: 200, data: { roles: ['user', role] } });
      const next = await post('refresh', { refresh_token: data.refresh_token });
      expect(next.code).toBe(0);
      await service.em.nativeUpdate(User, { id: made.id }, { roles: ['user'] });
      const after = await post('refresh', { refresh_token: next.data.refresh_token });
      expect(after).toMatchObject({ status: 403, code: 4030 });
    }
  });

  it('leaves passwords and sessions of external people to the issuer', async () => {
    const token = await tokenOf('ada');
    const change = { current_password: password, new_password: `${password} 2` };
    expect(await call(token, 'auth/password', change)).toMatchObject({ status: 403, code: 4030 });
    expect(await call(token, 'auth/logout-all', {})).toMatchObject({ status: 403, code: 4030 });
  });
});

describe('an issuer that changes or is away', () => {
  it('may change its keys: tokens of the new one are taken without a restart', async () => {
    await issuer.rotate();
    const fresh = await tokenOf('ada');
    await vi.waitFor(async () => expect(await call(fresh)).toMatchObject({ status: 200 }), pause);
  });

  it('is not needed for tokens of a known key; others are 5030 until it is back, never 500, never taken', async () => {
    const known = await tokenOf('ada');
    const node = await service.anotherNode();
    await issuer.stop();
    expect(await call(known)).toMatchObject({ status: 200 });
    expect(await call(await issuer.sign(claimsOf('new')))).toMatchObject({ status: 200 });
    // Asked a moment ago, the set of keys is not asked for again at once.
    const unknown = await issuer.sign(claimsOf('new'), { kid: 'next' });
    const unavailable = { status: 503, code: 5030, data: { retry_after_sec: 2 } };
    await vi.waitFor(async () => expect(await call(unknown)).toMatchObject(unavailable), pause);
    const atNewNode = await call(known, 'auth/me', undefined, node);
    expect(atNewNode).toMatchObject(unavailable);
    expect(atNewNode.headers.get('retry-after')).toBe('2');
    await issuer.start();
    await vi.waitFor(async () => expect((await call(known, 'auth/me', undefined, node)).status).toBe(200), pause);
    expect(await call(known)).toMatchObject({ status: 200 });
  });
});

describe('the keys of an issuer', () => {
  it('are found at the address that is set, or by metadata that is the issuer’s own', async () => {
    const jwksUrl = `${issuer.url}/jwks`;
    expect((await open(issuerKeysOf({ issuer: 'https://unreachable.invalid', jwksUrl }))).payload.sub).toBe('keys');
    expect((await open(issuerKeysOf({ issuer: issuer.url, jwksUrl: null }))).payload.sub).toBe('keys');
    const wrong = [
      { issuer: `${issuer.url}/`, jwksUrl: null },
      { issuer: issuer.url, jwksUrl: `${issuer.url}/none` },
      { issuer: issuer.url, jwksUrl: `${issuer.url}/.well-known/openid-configuration` },
    ];
    for (const one of wrong)
      await expect(open(issuerKeysOf(one)), one.issuer).rejects.toMatchObject({ errorName: 'unavailable' });
  });
});

describe('the settings of an issuer', () => {
  it('come together, over TLS, and name no own address', () => {
    expect(set({ OIDC_ISSUER: 'https://id.example' })).toThrow('OIDC_AUDIENCE: must be set with OIDC_ISSUER');
    expect(set({ OIDC_AUDIENCE: 'a' })).toThrow('OIDC_ISSUER: must be set with OIDC_AUDIENCE');
    expect(set({ OIDC_JWKS_URL: 'https://id.example/keys' })).toThrow('OIDC_ISSUER: must be set with OIDC_JWKS_URL');
    const both = { OIDC_ISSUER: 'https://id.example/', OIDC_AUDIENCE: 'a' };
    expect(set({ ...both, OIDC_ISSUER: 'http://id.example' })).toThrow('OIDC_ISSUER: must be https');
    expect(set({ ...both, PUBLIC_URL: 'https://id.example/' })).toThrow('OIDC_ISSUER: must not be PUBLIC_URL');
    expect(parseSettings(both).oidc).toEqual({ issuer: 'https://id.example/', audience: 'a', jwksUrl: null });
    expect(parseSettings({}).oidc).toBeNull();
  });
});
