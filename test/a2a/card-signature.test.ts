import { verifyAgentCardSignature, type AgentCard, type AgentCardSignature } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { DefaultAgentCardResolver as LegacyResolver } from 'a2a-sdk-0.3/client';
import {
  base64url,
  compactVerify,
  decodeProtectedHeader,
  flattenedVerify,
  importJWK,
  SignJWT,
  type JSONWebKeySet,
} from 'jose';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signCard } from '../../api/a2a/card-signature.ts';
import { openSecrets } from '../../api/auth/secrets.ts';
import { startService, type Service } from '../harness.ts';

type Card = Record<string, unknown> & { signatures: AgentCardSignature[] };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});

const cardPath = '/.well-known/agent-card.json';

async function readCard(from = service): Promise<Card> {
  return (await (await fetch(from.url + cardPath)).json()) as Card;
}

/** Finds a key as a stranger does: by the address and the id that the signature names. */
async function publishedKey(kid: string | undefined, jku: string | undefined, from = service) {
  const address = String(jku).replace(from.settings.publicUrl, from.url);
  const { keys } = (await (await fetch(address)).json()) as JSONWebKeySet;
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) throw new Error(`no key ${kid}`);
  expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x: expect.any(String) as string, kid, alg: 'EdDSA', use: 'sig' });
  return await importJWK(jwk);
}

const verifyBySdk = (card: unknown, from = service) =>
  verifyAgentCardSignature(async (kid, jku) => (await publishedKey(kid, jku, from)) as never)(card as AgentCard);

/** RFC 8785, written once more and otherwise, so that a mistake is not made twice. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

async function verifyByHand({ signatures, ...document }: Card): Promise<void> {
  const whole = signatures[1] as AgentCardSignature;
  const { kid, jku } = decodeProtectedHeader(whole);
  await flattenedVerify(
    { protected: whole.protected, signature: whole.signature, payload: base64url.encode(canonical(document)) },
    await publishedKey(kid, jku),
  );
}

it('a stranger who reads the card can verify it, with the SDK and by hand', async () => {
  const card = await readCard();
  const { kid } = service.secrets.cardKeys;
  const header = { alg: 'EdDSA', typ: 'JOSE', kid, jku: 'http://marketplace.test/.well-known/jwks.json' };
  expect(card.signatures.map((one) => decodeProtectedHeader(one))).toEqual([header, header]);
  await verifyBySdk({ ...card, signatures: [card.signatures[0]] });
  await verifyByHand(card);
  const resolved = await new DefaultAgentCardResolver({ fetchImpl: fetch }).resolve(service.url);
  await verifyBySdk(resolved);
});

it('a card that was changed verifies no more', async () => {
  const card = await readCard();
  const moved = { ...card, supportedInterfaces: [{ url: 'https://elsewhere.test', protocolBinding: 'JSONRPC' }] };
  await expect(verifyBySdk(moved)).rejects.toThrow('No valid signatures');
  // A member of 0.3, which the SDK of 1.0 does not look at.
  await expect(verifyByHand({ ...card, url: 'https://elsewhere.test' })).rejects.toThrow('verification failed');
  const { signatures, ...document } = card;
  for (const name of Object.keys(document)) {
    const { [name]: _left, ...rest } = document;
    await expect(verifyByHand({ ...rest, signatures }), name).rejects.toThrow('verification failed');
  }
});

it('is the same on another node and after a new start, to the byte', async () => {
  const first = await fetch(service.url + cardPath);
  const other = await fetch((await service.anotherNode()) + cardPath);
  expect(other.headers.get('etag')).toBe(first.headers.get('etag'));
  const text = await first.text();
  expect(await other.text()).toBe(text);
  const started = await openSecrets(service.em, service.settings);
  const again = await signCard(await readCard(), started.cardKeys, 'http://marketplace.test/.well-known/jwks.json');
  expect(JSON.stringify(again)).toBe(text);
});

it('has ASCII characters only, since verifiers differ in how they write others', async () => {
  expect(JSON.stringify(await readCard())).toMatch(/^[\x20-\x7e]+$/);
});

it('is read by clients of 0.3, signatures and all', async () => {
  const card = await new LegacyResolver({ fetchImpl: fetch }).resolve(service.url);
  expect([card.protocolVersion, card.signatures?.length]).toEqual(['0.3.0', 2]);
});

it('what signs a card opens no door, and what opens a door signs no card', async () => {
  const { signatures } = await readCard();
  const { accessTokens, cardKeys, jwks } = service.secrets;
  expect(new Set(jwks.keys.map(({ kid }) => kid)).size).toBe(3);
  const status = async (token: string) =>
    (await service.call('GET', '/api/v1/wallet', undefined, { authorization: `Bearer ${token}` })).status;
  const token = await accessTokens.sign({ id: service.admin.userId, roles: ['user'] }, new Date());
  expect(await status(token)).toBe(200);
  expect(decodeProtectedHeader(token).kid).not.toBe(cardKeys.kid);
  // Says all that a token says, and is signed by a key that is published.
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  const forged = await new SignJWT({ ...claims, jti: v7() })
    .setProtectedHeader({ alg: 'EdDSA', kid: cardKeys.kid, typ: 'at+jwt' })
    .sign(cardKeys.privateKey);
  await compactVerify(forged, await publishedKey(cardKeys.kid, 'http://marketplace.test/.well-known/jwks.json'));
  expect(await status(forged)).toBe(401);
  const [head = '', , signature = ''] = token.split('.');
  const tokenKey = await publishedKey(
    decodeProtectedHeader(token).kid,
    'http://marketplace.test/.well-known/jwks.json',
  );
  const asSignature = { protected: head, signature, header: undefined };
  const verify = verifyAgentCardSignature(async () => tokenKey as never);
  const card = (await readCard()) as unknown as AgentCard;
  await expect(verify({ ...card, signatures: [asSignature] })).rejects.toThrow('No valid signatures');
  const asToken = `${signatures[1]?.protected}.${token.split('.')[1]}.${signatures[1]?.signature}`;
  expect(await status(asToken)).toBe(401);
});

it('is signed by the same kind of key where people sign in elsewhere', async () => {
  const oidc = { OIDC_ISSUER: 'https://issuer.test', OIDC_AUDIENCE: 'marketplace' };
  const other = await startService(oidc);
  try {
    const card = await readCard(other);
    await verifyBySdk(card, other);
    expect(decodeProtectedHeader(card.signatures[0] ?? {}).kid).toBe(other.secrets.cardKeys.kid);
  } finally {
    await other.close();
  }
});
