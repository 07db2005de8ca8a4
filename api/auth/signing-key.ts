import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { z } from 'zod';
import type { Em } from '../../domain/store/orm.ts';
import { SigningKey, type SigningKeyRow } from '../../domain/store/signing-key.entity.ts';
import { lockSigningKeys } from '../../domain/store/signing-key.store.ts';
import type { Seal } from '../../domain/store/seal.ts';

export const signingAlgorithm = 'EdDSA';

const jwk = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });

/** The keys of one process: the newest signs, all that are not retired verify. */
export interface SigningKeys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
  readonly publicJwks: readonly JWK[];
}

/** Loads the signing keys. The first process of all makes one while the others wait, so that all sign with the same. */
export async function openSigningKeys(em: Em, seal: Seal): Promise<SigningKeys> {
  const rows = await em.transactional(async (inner) => {
    await lockSigningKeys(inner);
    const known = await inner.find(SigningKey, { retired_at: null }, { orderBy: { created_at: 'desc', id: 'asc' } });
    return known.length > 0 ? known : [await makeSigningKey(inner, seal)];
  });
  const [newest] = rows;
  if (newest === undefined) throw new Error('there is no signing key');
  const publicKeys = rows.map(async (row) => [row.id, await importKey(jwk.parse(row.public_jwk))] as const);
  return {
    kid: newest.id,
    privateKey: await importKey(openPrivateJwk(newest, seal)),
    publicKeys: new Map(await Promise.all(publicKeys)),
    publicJwks: rows.map(toPublicJwk),
  };
}

/** Only the fields of a public key: whatever else the row may hold stays here. */
function toPublicJwk(row: SigningKeyRow): JWK {
  const { kty, crv, x } = jwk.parse(row.public_jwk);
  return { kty, crv, x, kid: row.id, alg: signingAlgorithm, use: 'sig' };
}

async function makeSigningKey(em: Em, seal: Seal): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  const row = em.create(SigningKey, {
    id,
    public_jwk: publicJwk,
    private_jwk_encrypted: seal.encrypt(privateJwk, purposeOf(id)),
    created_at: new Date(),
    retired_at: null,
  });
  await em.persist(row).flush();
  return row;
}

function openPrivateJwk(row: SigningKeyRow, seal: Seal): JWK {
  try {
    return jwk.parse(JSON.parse(seal.decrypt(row.private_jwk_encrypted, purposeOf(row.id))));
  } catch (cause) {
    throw new Error(`signing key ${row.id} was sealed with another SECRET_KEY (or DATA_DIR/secret.key)`, { cause });
  }
}

function purposeOf(kid: string): string {
  return `signing-key/${kid}`;
}

async function importKey(given: JWK): Promise<CryptoKey> {
  const key = await importJWK(given, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error('a signing key must be an asymmetric key');
  return key;
}
