import { errors, jwtVerify, type JWTPayload } from 'jose';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Caller } from '../../domain/caller.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { personOf, type PersonClaims } from '../../domain/identity/external-person.ts';
import type { OidcSettings, Settings } from '../../domain/settings.ts';
import { ensureExternalUser, findExternalUser } from '../../domain/store/external-identity.store.ts';
import { issuerKeysOf } from './issuer-key.ts';
import { rememberTokens } from './remembered-token.ts';

/** Signatures only, by a key whose other half the issuer keeps: never `none`, never HMAC under a key that is public. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Clocks differ a little. */
const clockToleranceSec = 10;
/** Then the issuer's keys are looked at again: one that is withdrawn ends its tokens. */
const rememberedForMs = 60_000;

/** `at+jwt` (RFC 9068), or the plain type that most issuers still write. A logout token and others have their own. */
const accessTokenTypes = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Only an ID token has these (OpenID Connect Core, section 2): it tells a client who signed in, and opens nothing. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 's_hash'];
/** Keycloak tells its kinds of token apart by this claim. */
const foreignKinds = new Set(['ID', 'Refresh', 'Offline', 'Logout']);

const claimsSchema = z.looseObject({
  sub: z
    .string()
    .min(1)
    .max(255)
    .regex(/^\P{Cc}*$/u),
  exp: z.number(),
  jti: z.string().max(255).optional(),
});
type Claims = z.output<typeof claimsSchema> & PersonClaims;

/** Tells the caller of an external issuer's access token; makes the account on first use. */
export interface ExternalTokens {
  /** Throws `token_expired`, `unauthenticated`, or `unavailable` where the issuer would have to be asked and is away. */
  verify(token: string, now: Date): Promise<Caller>;
}

export function externalTokensOf(
  oidc: OidcSettings,
  { orm, settings }: { readonly orm: MikroORM; readonly settings: Pick<Settings, 'signupGrantUt'> },
): ExternalTokens {
  const keys = issuerKeysOf(oidc);
  const remembered = rememberTokens();
  const claimsOf = async (token: string, now: Date) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: oidc.issuer,
      audience: oidc.audience,
      algorithms,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: clockToleranceSec,
      currentDate: now,
    });
    if (!isAccessToken(protectedHeader.typ, payload)) throw new errors.JWTInvalid('not an access token');
    return claimsSchema.parse(payload) as Claims;
  };
  return {
    verify: async (token, now) => {
      const known = remembered.get(token, now);
      if (known !== null) return known;
      const claims = await claimsOf(token, now).catch(refuse);
      const userId = await userOf(claims, now);
      // What the issuer says of roles is its own affair: power over this service is given here.
      const caller: Caller = {
        userId,
        callerType: 'human',
        roles: ['user'],
        apiKeyId: null,
        tokenId: claims.jti ?? null,
        sessionId: null,
      };
      remembered.set(token, caller, Math.min(claims.exp * 1000, now.getTime() + rememberedForMs));
      return caller;
    },
  };

  async function userOf(claims: Claims, at: Date): Promise<string> {
    const identity = { issuer: oidc.issuer, subject: claims.sub };
    const em = orm.em.fork();
    const known = await findExternalUser(em, identity);
    if (known !== null) return known;
    const user = { id: v7(), ...personOf(claims), grantUt: settings.signupGrantUt, at };
    return await em.transactional((inner) => ensureExternalUser(inner, identity, user));
  }
}

/** A token bound to a key of its holder (`cnf`) is not to be taken from whoever merely has it (RFC 9449, section 7.2). */
function isAccessToken(type: string | undefined, payload: JWTPayload): boolean {
  if (!accessTokenTypes.has(type?.toLowerCase())) return false;
  if (idTokenClaims.some((claim) => claim in payload)) return false;
  // Of a client itself (RFC 9068, section 5): no person stands behind it, and a program comes with an API key.
  if (payload.sub === payload['client_id']) return false;
  return !foreignKinds.has(String(payload['typ'])) && !('cnf' in payload);
}

function refuse(cause: unknown): never {
  if (cause instanceof MarketplaceError) throw cause;
  throw new MarketplaceError(cause instanceof errors.JWTExpired ? 'token_expired' : 'unauthenticated', null, { cause });
}
