import type { JSONWebKeySet } from 'jose';
import type { Settings } from '../../domain/settings.ts';
import type { Em } from '../../domain/store/orm.ts';
import { accessTokensOf, type AccessTokens } from './access-token.ts';
import { keyedHashWith } from '../../domain/store/keyed-hash.ts';
import { sealWith, type Seal } from '../../domain/store/seal.ts';
import { loadSecretKey } from '../../domain/store/secret-key.ts';
import { openSigningKeys } from './signing-key.ts';

/** What a process holds and never shows: the key that seals secrets, and the keys that sign access tokens. */
export interface Secrets extends Seal {
  /** Hashes a short secret so that nobody without the secret key can try them all; `purpose` as for the seal. */
  readonly keyedHash: (secret: string, purpose: string) => Buffer;
  readonly accessTokens: AccessTokens;
  /** The public halves of all keys that verify. */
  readonly jwks: JSONWebKeySet;
}

/** Loads the keys; makes them on the first start. Keys are read once: a new signing key needs a restart of every process. */
export async function openSecrets(em: Em, settings: Settings): Promise<Secrets> {
  const secretKey = await loadSecretKey(settings);
  const seal = sealWith(secretKey);
  const keys = await openSigningKeys(em, seal);
  const accessTokens = accessTokensOf(keys, settings.publicUrl);
  return { ...seal, keyedHash: keyedHashWith(secretKey), accessTokens, jwks: { keys: [...keys.publicJwks] } };
}
