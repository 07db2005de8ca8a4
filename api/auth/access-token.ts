import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';
import { v7 } from 'uuid';
import { z } from 'zod';
import { roles, type Caller, type Role } from '../../domain/caller.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { signingAlgorithm, type SigningKeys } from './signing-key.ts';

/** Short: a role taken away or an account signed out stays usable for as long as a token lives. */
export const accessTokenLifeSec = 15 * 60;

const tokenType = 'at+jwt';
const claims = z.object({ sub: z.uuid(), roles: z.array(z.enum(roles)), exp: z.int() });

/** A signature that held once holds until the token expires; checking it costs more than the rest of a read. */
const rememberedTokens = 10_000;

/** Signs and checks the access tokens of humans; no query is made. */
export interface AccessTokens {
  sign(user: { readonly id: string; readonly roles: readonly Role[] }, now: Date): Promise<string>;
  /** Throws `token_expired` or `unauthenticated`. */
  verify(token: string, now: Date): Promise<Caller>;
}

/** `issuer` is the service's own address: it both issues the tokens and is the audience that they are for. */
export function accessTokensOf(keys: SigningKeys, issuer: string): AccessTokens {
  const keyOf = (header: JWTHeaderParameters) => {
    const key = keys.publicKeys.get(header.kid ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  const verified = new Map<string, { readonly caller: Caller; readonly expiresAtMs: number }>();
  const remember = (token: string, entry: { readonly caller: Caller; readonly expiresAtMs: number }) => {
    // The oldest goes first: a Map keeps the order of insertion.
    const oldest = verified.size >= rememberedTokens ? verified.keys().next().value : undefined;
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(token, entry);
  };
  return {
    sign: async (user, now) => {
      const issuedAtSec = Math.floor(now.getTime() / 1000);
      return await new SignJWT({ roles: [...user.roles] })
        .setProtectedHeader({ alg: signingAlgorithm, kid: keys.kid, typ: tokenType })
        .setSubject(user.id)
        .setIssuer(issuer)
        .setAudience(issuer)
        .setJti(v7())
        .setIssuedAt(issuedAtSec)
        .setExpirationTime(issuedAtSec + accessTokenLifeSec)
        .sign(keys.privateKey);
    },
    verify: async (token, now) => {
      const known = verified.get(token);
      if (known !== undefined && now.getTime() < known.expiresAtMs) return known.caller;
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          issuer,
          audience: issuer,
          algorithms: [signingAlgorithm],
          typ: tokenType,
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
          currentDate: now,
        });
        const { sub, roles: given, exp } = claims.parse(payload);
        const caller: Caller = { userId: sub, callerType: 'human', roles: given, apiKeyId: null };
        remember(token, { caller, expiresAtMs: exp * 1000 });
        return caller;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new MarketplaceError('token_expired', null, { cause: error });
        throw new MarketplaceError('unauthenticated', null, { cause: error });
      }
    },
  };
}
