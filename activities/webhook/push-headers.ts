import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { SignJWT } from 'jose';
import { v7 } from 'uuid';
import { isBearer, type PushAuthentication, type PushCredential } from '../../domain/a2a/push-config.ts';
import type { Seal } from '../../domain/store/seal.ts';
import { openSigningKeys, signingAlgorithm, type SigningKeys } from '../../domain/store/signing-key-ring.ts';

/** What notifications are signed with, and in whose name. */
export interface PushSigner {
  readonly keys: Pick<SigningKeys, 'kid' | 'privateKey'>;
  /** The address of the platform, where its JWKS is. */
  readonly issuer: string;
}

/** Loads the signer when the first notification asks for it; where that fails, the next one tries again. */
export function pushSignerOf(orm: MikroORM, seal: Seal, publicUrl: string): () => Promise<PushSigner> {
  let opened: Promise<PushSigner> | null = null;
  const open = async () => {
    try {
      return { keys: await openSigningKeys(orm.em.fork(), seal, 'push-notification'), issuer: publicUrl };
    } catch (error) {
      opened = null;
      throw error;
    }
  };
  return async () => await (opened ??= open());
}

/** A notification of an agent protocol that is about to be sent. */
export interface PushMessage {
  /** The same at every attempt. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly credential: PushCredential;
}

/** So long a token lives: enough for a slow receiver whose clock is off, and of little use to a thief. */
const tokenLifeSec = 300;

/**
 * The headers of one attempt: token and Authorization as the config has them, and a signature after Standard Webhooks of the
 * asymmetric kind (`v1a`, Ed25519), which anybody checks with the platform's JWKS.
 */
export async function pushHeaders(
  message: PushMessage,
  signer: PushSigner,
  now: Date,
): Promise<Record<string, string>> {
  const { id, body, credential } = message;
  const { token, authentication } = credential;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = await crypto.subtle.sign('Ed25519', signer.keys.privateKey, signed);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1a,${Buffer.from(signature).toString('base64')}`,
    ...(token === null ? {} : { 'x-a2a-notification-token': token }),
    ...(authentication === null ? {} : { authorization: await authorizationOf(authentication, message, signer, now) }),
  };
}

/** `Bearer` without credentials gets a JWT as the guide to push notifications of A2A has it. */
async function authorizationOf(
  { scheme, credentials }: PushAuthentication,
  message: PushMessage,
  signer: PushSigner,
  now: Date,
): Promise<string> {
  if (credentials !== null || !isBearer(scheme)) return `${scheme} ${credentials ?? ''}`.trim();
  return `Bearer ${await tokenFor(message, signer, now)}`;
}

/** Each attempt has a token of its own, so that a receiver may refuse one that it has seen. */
async function tokenFor(
  { url, body, credential }: PushMessage,
  { keys, issuer }: PushSigner,
  now: Date,
): Promise<string> {
  const issuedAtSec = Math.floor(now.getTime() / 1000);
  // The name of the claim is that of A2A's samples.
  const request_body_sha256 = createHash('sha256').update(body).digest('hex');
  return await new SignJWT({ taskId: credential.taskId, request_body_sha256 })
    .setProtectedHeader({ alg: signingAlgorithm, kid: keys.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(url)
    .setJti(v7())
    .setIssuedAt(issuedAtSec)
    .setExpirationTime(issuedAtSec + tokenLifeSec)
    .sign(keys.privateKey);
}
