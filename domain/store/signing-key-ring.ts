import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { z } from 'zod';
import { A2aSigningKey, type A2aSigningPurpose } from './a2a-signing-key.entity.ts';
import type { Em } from './orm.ts';
import type { Seal } from './seal.ts';
import { SigningKey, type SigningKeyRow } from './signing-key.entity.ts';
import { lockSigningKeys } from './signing-key.store.ts';

export const signingAlgorithm = 'EdDSA';

/** Each purpose has keys of its own: what was signed for one is never taken for another. */
export type SigningPurpose = 'access-token' | A2aSigningPurpose;

const jwk = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });

/** The keys of one purpose in one process: the newest signs, all that are not retired verify. */
export interface SigningKeys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
  readonly publicJwks: readonly JWK[];
}

/** Loads the keys of a purpose. The first process of all makes one while the others wait, so that all sign with the same. */
export async function openSigningKeys(em: Em, seal: Seal, purpose: SigningPurpose): Promise<SigningKeys> {
  const rows = await em.transactional(async (inner) => {
    await lockSigningKeys(inner);
    const known = await findKeys(inner, purpose);
    return known.length > 0 ? known : [await makeSigningKey(inner, seal, purpose)];
  });
  const [newest] = rows;
  if (newest === undefined) throw new Error(`there is no signing key for ${purpose}`);
  const publicKeys = rows.map(async (row) => [row.id, await importKey(jwk.parse(row.public_jwk))] as const);
  return {
    kid: newest.id,
    privateKey: await importKey(openPrivateJwk(newest, seal, purpose)),
    publicKeys: new Map(await Promise.all(publicKeys)),
    publicJwks: rows.map(toPublicJwk),
  };
}

const newestFirst = { orderBy: { created_at: 'desc', id: 'asc' } } as const;

async function findKeys(em: Em, purpose: SigningPurpose): Promise<SigningKeyRow[]> {
  return purpose === 'access-token'
    ? await em.find(SigningKey, { retired_at: null }, newestFirst)
    : await em.find(A2aSigningKey, { retired_at: null, purpose }, newestFirst);
}

/** Only the fields of a public key: whatever else the row may hold stays here. */
function toPublicJwk(row: SigningKeyRow): JWK {
  const { kty, crv, x } = jwk.parse(row.public_jwk);
  return { kty, crv, x, kid: row.id, alg: signingAlgorithm, use: 'sig' };
}

async function makeSigningKey(em: Em, seal: Seal, purpose: SigningPurpose): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  const row = {
    id,
    public_jwk: publicJwk,
    private_jwk_encrypted: seal.encrypt(privateJwk, sealPurpose(purpose, id)),
    created_at: new Date(),
    retired_at: null,
  };
  const made = purpose === 'access-token' ? em.create(SigningKey, row) : em.create(A2aSigningKey, { ...row, purpose });
  await em.persist(made).flush();
  return made;
}

function openPrivateJwk(row: SigningKeyRow, seal: Seal, purpose: SigningPurpose): JWK {
  try {
    return jwk.parse(JSON.parse(seal.decrypt(row.private_jwk_encrypted, sealPurpose(purpose, row.id))));
  } catch (cause) {
    throw new Error(`signing key ${row.id} was sealed with another SECRET_KEY (or DATA_DIR/secret.key)`, { cause });
  }
}

/** A key that was moved to another purpose does not open. */
function sealPurpose(purpose: SigningPurpose, kid: string): string {
  return purpose === 'access-token' ? `signing-key/${kid}` : `a2a-signing-key/${purpose}/${kid}`;
}

async function importKey(given: JWK): Promise<CryptoKey> {
  const key = await importJWK(given, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error('a signing key must be an asymmetric key');
  return key;
}
