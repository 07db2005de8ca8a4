import { v7 } from 'uuid';
import { MarketplaceError } from '../../domain/errors.ts';
import { judgeRefresh, refreshTokenExpiry } from '../../domain/identity/refresh-token.ts';
import { toUserRecord, type UserRecord } from '../../domain/identity/user.ts';
import type { Em } from '../../domain/store/orm.ts';
import { RefreshToken } from '../../domain/store/refresh-token.entity.ts';
import { forgetExpiredTokens, lockRefreshToken, revokeFamily } from '../../domain/store/refresh-token.store.ts';
import { User, type UserRow } from '../../domain/store/user.entity.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../deps.ts';
import { accessTokenLifeSec } from './access-token.ts';
import { hashSecret, randomSecret } from './random-token.ts';

type SessionContext = Pick<Context<Caller | null>, 'em' | 'secrets' | 'now' | 'log'>;

/** What login and refresh answer. */
export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly user: UserRecord;
}

/** Starts a family of refresh tokens for a user who has proven who they are. */
export async function startSession(ctx: SessionContext, user: UserRow): Promise<Session> {
  return await ctx.em.transactional((em) => issue(ctx, em, user, null));
}

/** Trades a refresh token for its successor. A used one revokes the family: thief and owner both have to sign in again. */
export async function rotateSession(ctx: SessionContext, refreshToken: string): Promise<Session> {
  // A refusal is returned, not thrown, out of the SQL transaction: the revocation has to commit.
  const outcome = await ctx.em.transactional((em) => rotate(ctx, em, refreshToken));
  if (outcome === 'token_expired' || outcome === 'unauthenticated') {
    throw new MarketplaceError(outcome, null, { text: 'The refresh token is not valid (any more). Sign in again.' });
  }
  return outcome;
}

async function rotate(
  ctx: SessionContext,
  em: Em,
  refreshToken: string,
): Promise<Session | 'token_expired' | 'unauthenticated'> {
  const at = ctx.now();
  const token = await lockRefreshToken(em, hashSecret(refreshToken));
  if (token === null) return 'unauthenticated';
  const verdict = judgeRefresh(token, at);
  if (verdict === 'reused') {
    await revokeFamily(em, token.family_id, at);
    ctx.log.warn({ user_id: token.user_id, family_id: token.family_id }, 'refresh token reused, family revoked');
  }
  if (verdict !== 'rotate') return verdict === 'expired' ? 'token_expired' : 'unauthenticated';
  token.used_at = at;
  return await issue(ctx, em, await em.findOneOrFail(User, { id: token.user_id }), token.family_id);
}

/** Ends the family of a refresh token; an unknown token is none the less signed out. */
export async function endSession(ctx: SessionContext, refreshToken: string): Promise<void> {
  await ctx.em.transactional(async (em) => {
    const token = await lockRefreshToken(em, hashSecret(refreshToken));
    if (token !== null) await revokeFamily(em, token.family_id, ctx.now());
  });
}

async function issue(ctx: SessionContext, em: Em, user: UserRow, familyId: string | null): Promise<Session> {
  const at = ctx.now();
  const id = v7();
  const refreshToken = `mr_${randomSecret().toString('base64url')}`;
  await forgetExpiredTokens(em, user.id, at);
  em.create(RefreshToken, {
    id,
    family_id: familyId ?? id,
    user_id: user.id,
    token_hash: hashSecret(refreshToken),
    created_at: at,
    expires_at: refreshTokenExpiry(at),
    used_at: null,
    revoked_at: null,
  });
  return {
    access_token: await ctx.secrets.accessTokens.sign(user, at),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenLifeSec,
    user: toUserRecord(user),
  };
}
