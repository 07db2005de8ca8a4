import { decodeJwt } from 'jose';
import type { Caller } from '../../domain/caller.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { mayUsePassword } from '../../domain/identity/sign-in.ts';
import type { Deps } from '../deps.ts';
import { externalTokensOf } from './external-token.ts';
import { signInElsewhere } from './sign-in-place.ts';

export type BearerDeps = Pick<Deps, 'orm' | 'secrets' | 'endedSessions' | 'settings' | 'now'>;

/**
 * Tells who a bearer token is of. With an external issuer set it is that issuer's, or a built-in one of an administrator
 * or of support; a token of anybody else is refused, even one that was given before.
 */
export function bearerVerifier(deps: BearerDeps): (token: string) => Promise<Caller> {
  const { secrets, settings, now } = deps;
  const { oidc } = settings;
  if (oidc === null) return async (token) => await living(deps, await secrets.accessTokens.verify(token, now()));
  const external = externalTokensOf(oidc, deps);
  return async (token) => {
    if (claimedIssuer(token) !== settings.publicUrl) return await external.verify(token, now());
    const caller = await secrets.accessTokens.verify(token, now());
    if (!mayUsePassword(caller.roles, oidc.issuer)) throw signInElsewhere('unauthenticated', oidc.issuer);
    return await living(deps, caller);
  };
}

/** A token ends with its session, although it has time left. */
async function living({ endedSessions }: Pick<Deps, 'endedSessions'>, caller: Caller): Promise<Caller> {
  const ended = caller.sessionId === null ? false : endedSessions.has(caller.sessionId);
  // Awaited only where it must be: a read has no turn of the loop to give away.
  if (ended === true || (ended !== false && (await ended))) throw new MarketplaceError('unauthenticated');
  return caller;
}

/** Not checked yet: it only tells whose keys to check with. */
function claimedIssuer(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch (cause) {
    throw new MarketplaceError('unauthenticated', null, { cause });
  }
}
