import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';
import { v7 } from 'uuid';
import { z } from 'zod';
import { roles, type Caller, type Role } from '../../domain/caller.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { signingAlgorithm, type SigningKeys } from '../../domain/store/signing-key-ring.ts';
import { rememberTokens } from './remembered-token.ts';

/** Short: a role taken away stays usable for as long as a token lives. */
export const accessTokenLifeSec = 15 * 60;

const tokenType = 'at+jwt';
const claims = z.object({ sub: z.uuid(), roles: z.array(z.enum(roles)), exp: z.int(), jti: z.string(), sid: z.uuid() });

/** Signs and checks the access tokens of humans; no query is made. */
export interface AccessTokens {
  /** `sessionId`: the family of refresh tokens, with whose end the token ends; a token without one is of no session. */
  sign(user: { readonly id: string; readonly roles: readonly Role[] }, now: Date, sessionId?: string): Promise<string>;
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
  const remembered = rememberTokens();
  return {
    sign: async (user, now, sessionId = v7()) => {
      const issuedAtSec = Math.floor(now.getTime() / 1000);
      return await new SignJWT({ roles: [...user.roles], sid: sessionId })
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
      const known = remembered.get(token, now);
      if (known !== null) return known;
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          issuer,
          audience: issuer,
          algorithms: [signingAlgorithm],
          typ: tokenType,
          requiredClaims: ['sub', 'jti', 'sid', 'iat', 'exp'],
          currentDate: now,
        });
        const { sub, roles: given, exp, jti, sid } = claims.parse(payload);
        const session = { tokenId: jti, sessionId: sid };
        const caller: Caller = { userId: sub, callerType: 'human', roles: given, apiKeyId: null, ...session };
        remembered.set(token, caller, exp * 1000);
        return caller;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new MarketplaceError('token_expired', null, { cause: error });
        throw new MarketplaceError('unauthenticated', null, { cause: error });
      }
    },
  };
}
