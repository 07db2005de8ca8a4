import { createRemoteJWKSet, errors, type JWTVerifyGetKey, type RemoteJWKSet } from 'jose';
import { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import type { OidcSettings } from '../../domain/settings.ts';

const timeoutMs = 3_000;
/** Withdrawn keys are dropped after about this long; the request that notices does not wait for it. */
const refreshAfterMs = 10 * 60_000;
/** Keys that could not be compared with the issuer's for so long are not believed any more. */
const trustedForMs = 24 * 3_600_000;
/** An unknown key makes at most one look at the issuer in this time, and so does an issuer that is away. */
const pauseMs = 2_000;

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * The keys of an issuer as `jwtVerify` asks for them. A key that is not known is looked for at the issuer, so that new
 * keys need no restart. With the issuer away known keys go on to verify; all else is `unavailable`, never accepted.
 */
export function issuerKeysOf(oidc: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): JWTVerifyGetKey {
  let current: { readonly keys: RemoteJWKSet; readonly loadedAtMs: number } | null = null;
  let loading: Promise<RemoteJWKSet> | null = null;
  let failedAtMs = -Infinity;
  const loadOnce = async () => {
    try {
      const keys = await loadKeys(oidc);
      current = { keys, loadedAtMs: performance.now() };
      return keys;
    } catch (cause) {
      failedAtMs = performance.now();
      throw away(cause);
    } finally {
      loading = null;
    }
  };
  const load = async () => {
    if (loading === null && performance.now() - failedAtMs < pauseMs) throw away('asked a moment ago');
    loading ??= loadOnce();
    return await loading;
  };
  return async (header, token) => {
    const ageMs = current === null ? Infinity : performance.now() - current.loadedAtMs;
    const keys = current === null || ageMs > trustedForMs ? await load() : current.keys;
    if (ageMs > refreshAfterMs) load().catch(() => undefined);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || ageMs < pauseMs || ageMs === Infinity) throw error;
      return await (
        await load()
      )(header, token);
    }
  };
}

/** A new set each time: an issuer may move its keys, and a set that fails to load leaves the last one as it is. */
async function loadKeys({ issuer, jwksUrl }: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): Promise<RemoteJWKSet> {
  const url = new URL(jwksUrl ?? (await discover(issuer)));
  const keys = createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
  });
  await keys.reload();
  return keys;
}

/** OpenID Connect Discovery 1.0, section 4; the metadata must be of the issuer that was asked for. */
async function discover(issuer: string): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the issuer's metadata answered ${response.status}`);
  const found = metadata.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`the metadata is of another issuer, ${found.issuer}`);
  if (issuer.startsWith('https:') && !found.jwks_uri.startsWith('https:')) throw new Error('jwks_uri is not https');
  return found.jwks_uri;
}

function away(cause: unknown): MarketplaceError {
  const text = 'The issuer of the token cannot be asked for its keys. Retry after data.retry_after_sec.';
  return new MarketplaceError('unavailable', { retry_after_sec: pauseMs / 1000 }, { text, cause });
}
