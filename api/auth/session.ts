import { v7 } from 'uuid';
import type { AuditTarget } from '../../domain/audit/audit-entry.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { judgeRefresh, refreshTokenExpiry } from '../../domain/identity/refresh-token.ts';
import { mayUsePassword } from '../../domain/identity/sign-in.ts';
import { toUserRecord, type UserRecord } from '../../domain/identity/user.ts';
import type { Em } from '../../domain/store/orm.ts';
import { RefreshToken } from '../../domain/store/refresh-token.entity.ts';
import {
  forgetExpiredTokens,
  lockRefreshToken,
  revokeFamiliesOf,
  revokeFamily,
} from '../../domain/store/refresh-token.store.ts';
import { User, type UserRow } from '../../domain/store/user.entity.ts';
import { holdPasswordHash } from '../../domain/store/user.store.ts';
import type { Caller } from '../../domain/caller.ts';
import { audit, type AuditContext } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import { accessTokenLifeSec } from './access-token.ts';
import { hashSecret, randomSecret } from './random-token.ts';
import { signInElsewhere } from './sign-in-place.ts';

type SessionContext = AuditContext & Pick<Context<Caller | null>, 'secrets' | 'endedSessions' | 'settings' | 'log'>;

/** What login and refresh answer. */
export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly user: UserRecord;
}

/** Starts a family of refresh tokens for a user who has proven who they are; null if the password changed meanwhile. */
export async function startSession(ctx: SessionContext, user: UserRow): Promise<Session | null> {
  return await ctx.em.transactional(async (em) => {
    const isStill = (await holdPasswordHash(em, user.id)) === user.password_hash;
    if (!isStill) return null;
    const sessionId = v7();
    await audit(ctx, { action: 'user.sign_in', target: sessionTarget(sessionId), actorUserId: user.id }, em);
    return await issue(ctx, em, user, sessionId, sessionId);
  });
}

/**
 * Trades a refresh token for its successor. A used one revokes the family: thief and owner both have to sign in again.
 * There is no grace for one whose answer was lost: it cannot be told from a thief.
 */
export async function rotateSession(ctx: SessionContext, refreshToken: string): Promise<Session> {
  // A refusal is returned, not thrown, out of the SQL transaction: the revocation has to commit.
  const outcome = await ctx.em.transactional((em) => rotate(ctx, em, refreshToken));
  if (!('refusal' in outcome)) return outcome;
  ctx.endedSessions.add(outcome.ended);
  throw new MarketplaceError(outcome.refusal, null, {
    text: 'The refresh token is not valid (any more). Sign in again.',
  });
}

interface Refused {
  readonly refusal: 'token_expired' | 'unauthenticated';
  readonly ended: readonly string[];
}

async function rotate(ctx: SessionContext, em: Em, refreshToken: string): Promise<Session | Refused> {
  const at = ctx.now();
  const token = await lockRefreshToken(em, hashSecret(refreshToken));
  if (token === null) return { refusal: 'unauthenticated', ended: [] };
  const verdict = judgeRefresh(token, at);
  if (verdict === 'reused') {
    await revokeFamily(em, token.family_id, at);
    // Owner or thief: whose session it was is known, and not who asked.
    const whose = { target: sessionTarget(token.family_id), data: { user_id: token.user_id } };
    await audit(ctx, { action: 'user.reuse_refresh_token', ...whose }, em);
    ctx.log.warn({ user_id: token.user_id, family_id: token.family_id }, 'refresh token reused, family revoked');
    return { refusal: 'unauthenticated', ended: [token.family_id] };
  }
  if (verdict !== 'rotate') return { refusal: verdict === 'expired' ? 'token_expired' : 'unauthenticated', ended: [] };
  const user = await em.findOneOrFail(User, { id: token.user_id });
  const issuer = ctx.settings.oidc?.issuer ?? null;
  if (issuer !== null && !mayUsePassword(user.roles, issuer)) throw signInElsewhere('forbidden', issuer);
  token.used_at = at;
  return await issue(ctx, em, user, v7(), token.family_id);
}

/** Ends the family of a refresh token; an unknown token is none the less signed out. */
export async function endSession(ctx: SessionContext, refreshToken: string): Promise<void> {
  const ended = await ctx.em.transactional(async (em) => {
    const token = await lockRefreshToken(em, hashSecret(refreshToken));
    if (token === null) return [];
    await revokeFamily(em, token.family_id, ctx.now());
    const whose = { target: sessionTarget(token.family_id), actorUserId: token.user_id };
    if (token.revoked_at === null) await audit(ctx, { action: 'user.sign_out', ...whose }, em);
    return [token.family_id];
  });
  ctx.endedSessions.add(ended);
}

/** Ends every session of a user, on all nodes. Answers how many. */
export async function endSessionsOf(ctx: SessionContext, userId: string): Promise<number> {
  const ended = await ctx.em.transactional(async (em) => {
    const families = await revokeFamiliesOf(em, userId, null, ctx.now());
    const done = { target: { type: 'user', id: userId }, data: { ended_sessions: families.length } } as const;
    await audit(ctx, { action: 'user.sign_out_everywhere', ...done }, em);
    return families;
  });
  ctx.endedSessions.add(ended);
  return ended.length;
}

function sessionTarget(id: string): AuditTarget {
  return { type: 'session', id };
}

/** `id` is that of the refresh token; the first of a session has the session's own. */
async function issue(ctx: SessionContext, em: Em, user: UserRow, id: string, sessionId: string): Promise<Session> {
  const at = ctx.now();
  const refreshToken = `mr_${randomSecret().toString('base64url')}`;
  await forgetExpiredTokens(em, user.id, at);
  em.create(RefreshToken, {
    id,
    family_id: sessionId,
    user_id: user.id,
    token_hash: hashSecret(refreshToken),
    created_at: at,
    expires_at: refreshTokenExpiry(at),
    used_at: null,
    revoked_at: null,
  });
  return {
    access_token: await ctx.secrets.accessTokens.sign(user, at, sessionId),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenLifeSec,
    user: toUserRecord(user),
  };
}
