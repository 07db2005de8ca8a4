import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';

const redirectUri = 'http://127.0.0.1/callback';
const client = { client_id: 'web', client_secret: 'web-secret' };
const tokenAnswer = z.object({ access_token: z.string(), id_token: z.string().optional() });
export type Tokens = z.output<typeof tokenAnswer>;

/** Signs a person in as a browser does, by authorization code with PKCE, for the resource. */
export async function signInAt(issuer: string, name: string, resource: string): Promise<Tokens> {
  const browser = browserOf(issuer);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    resource,
    scope: 'openid profile email trade',
    prompt: 'consent',
    nonce: 'n-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let address = await browser.follow(`/auth?${query.toString()}`);
  address = await browser.follow(address, new URLSearchParams({ prompt: 'login', login: name, password: 'any' }));
  address = await browser.follow(address, new URLSearchParams({ prompt: 'consent' }));
  const code = new URL(address).searchParams.get('code') ?? '';
  return await tokensOf(issuer, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

/** A token of the client itself, which no person stands behind. */
export async function clientToken(issuer: string, resource: string): Promise<string> {
  const answer = await tokensOf(issuer, { grant_type: 'client_credentials', scope: 'trade', resource });
  return answer.access_token;
}

async function tokensOf(issuer: string, parameters: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ ...client, ...parameters });
  const response = await fetch(`${issuer}/token`, { method: 'POST', body });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return tokenAnswer.parse(JSON.parse(text));
}

/** Keeps cookies, and follows redirects up to a page or to the client's own address. */
function browserOf(issuer: string) {
  const cookies = new Map<string, string>();
  return {
    async follow(start: string, form?: URLSearchParams): Promise<string> {
      let address = new URL(start, issuer).href;
      let body = form;
      while (!address.startsWith(redirectUri)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const method = body === undefined ? 'GET' : 'POST';
        const response = await fetch(address, { method, body: body ?? null, headers: { cookie }, redirect: 'manual' });
        for (const set of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) {
          expect(response.status, await response.text()).toBe(200);
          return address;
        }
        address = new URL(location, address).href;
        body = undefined;
      }
      return address;
    },
  };
}
