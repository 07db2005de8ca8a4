import type { JSONWebKeySet } from 'jose';
import type { Settings } from '../../domain/settings.ts';
import type { Em } from '../../domain/store/orm.ts';
import { accessTokensOf, type AccessTokens } from './access-token.ts';
import { keyedHashWith } from '../../domain/store/keyed-hash.ts';
import { sealWith, type Seal } from '../../domain/store/seal.ts';
import { loadSecretKey } from '../../domain/store/secret-key.ts';
import { openSigningKeys, type SigningKeys } from '../../domain/store/signing-key-ring.ts';

/** What a process holds and never shows: the key that seals secrets, and the keys that sign. */
export interface Secrets extends Seal {
  /** Hashes a short secret so that nobody without the secret key can try them all; `purpose` as for the seal. */
  readonly keyedHash: (secret: string, purpose: string) => Buffer;
  readonly accessTokens: AccessTokens;
  /** Sign agent cards, and nothing else. */
  readonly cardKeys: SigningKeys;
  /** The public halves of all keys that verify, whatever they sign. */
  readonly jwks: JSONWebKeySet;
}

/** Loads the keys; makes them on the first start. Keys are read once: a new signing key needs a restart of every process. */
export async function openSecrets(em: Em, settings: Settings): Promise<Secrets> {
  const secretKey = await loadSecretKey(settings);
  const seal = sealWith(secretKey);
  const keys = await openSigningKeys(em, seal, 'access-token');
  const cardKeys = await openSigningKeys(em, seal, 'agent-card');
  const pushKeys = await openSigningKeys(em, seal, 'push-notification');
  const accessTokens = accessTokensOf(keys, settings.publicUrl);
  const published = [keys, cardKeys, pushKeys].flatMap(({ publicJwks }) => publicJwks);
  return { ...seal, keyedHash: keyedHashWith(secretKey), accessTokens, cardKeys, jwks: { keys: published } };
}
