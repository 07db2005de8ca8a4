import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { mayUsePassword } from '../../domain/identity/sign-in.ts';
import { normalizeEmail, toUserRecord, type UserRecord } from '../../domain/identity/user.ts';
import { User } from '../../domain/store/user.entity.ts';
import { revokeFamiliesOf } from '../../domain/store/refresh-token.store.ts';
import { createUser, replacePasswordHash } from '../../domain/store/user.store.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import type { loginBody, passwordBody, registerBody } from './auth.schemas.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endSession, endSessionsOf, rotateSession, startSession, type Session } from './session.ts';
import { limitedAttempt } from './sign-in-limit.ts';
import { signInElsewhere } from './sign-in-place.ts';

/**
 * What somebody typed as their address is in the trail as a keyed hash, whether an account has it or not: entries of one
 * address can be told to belong together, and an entry does not tell who has an account, nor what else was typed there.
 */
const auditedAccountPurpose = 'audit-account';

/**
 * Makes an account, its wallet and the signup grant. A taken address is told: there is no mailbox to tell it to instead,
 * and who asks pays a hash each time and soon meets the limit of failures of an address.
 */
export async function register(ctx: Context<null>, body: z.output<typeof registerBody>): Promise<UserRecord> {
  if (ctx.settings.oidc !== null) throw signInElsewhere('forbidden', ctx.settings.oidc.issuer);
  const user = await limitedAttempt(ctx, null, async () => {
    // Before the SQL transaction: hashing takes its time, and a connection should not wait for it.
    const passwordHash = await hashPassword(body.password);
    return await ctx.em.transactional(async (em) => {
      const made = await createUser(em, {
        id: ctx.newId('user'),
        email: body.email,
        passwordHash,
        displayName: body.display_name,
        roles: ['user'],
        grantUt: ctx.settings.signupGrantUt,
        at: ctx.now(),
      });
      const target = made === null ? null : ({ type: 'user', id: made.id } as const);
      if (target !== null) await audit(ctx, { action: 'user.register', target, actorUserId: target.id }, em);
      return made;
    });
  });
  if (user === null)
    throw new MarketplaceError('conflict', { field: 'email' }, { text: 'This e-mail address is registered.' });
  return toUserRecord(user);
}

/** Signs in. An unknown address and a wrong password get the same answer after the same work. */
export async function login(ctx: Context<null>, { email, password }: z.output<typeof loginBody>): Promise<Session> {
  const account = normalizeEmail(email);
  const issuer = ctx.settings.oidc?.issuer ?? null;
  const session = await limitedAttempt(ctx, account, async () => {
    const user = await ctx.em.findOne(User, { email: account });
    const matches = await verifyPassword(user?.password_hash ?? null, password);
    return user !== null && matches && mayUsePassword(user.roles, issuer) ? await startSession(ctx, user) : null;
  });
  if (session !== null) return session;
  const typed = ctx.secrets.keyedHash(account, auditedAccountPurpose).toString('hex');
  await audit(ctx, { action: 'user.sign_in_refused', target: { type: 'account', id: typed } });
  // The same for all: who administers is not told by another refusal.
  if (issuer !== null) throw signInElsewhere('forbidden', issuer);
  throw new MarketplaceError('unauthenticated', null, { text: 'E-mail address or password is wrong.' });
}

export async function refresh(ctx: Context<null>, refreshToken: string): Promise<Session> {
  return await rotateSession(ctx, refreshToken);
}

export async function logout(ctx: Context<null>, refreshToken: string): Promise<{ logged_out: true }> {
  await endSession(ctx, refreshToken);
  return { logged_out: true };
}

/** Ends every session of the caller, this one included; access tokens stop with them. */
export async function logoutAll(ctx: Context): Promise<{ ended_sessions: number }> {
  requireSessionHere(ctx);
  return { ended_sessions: await endSessionsOf(ctx, ctx.caller.userId) };
}

/** Sets another password and ends the caller's other sessions, both or neither: whoever knew the old one is out. */
export async function changePassword(
  ctx: Context,
  { current_password, new_password }: z.output<typeof passwordBody>,
): Promise<{ ended_sessions: number }> {
  requireSessionHere(ctx);
  const { userId, sessionId } = ctx.caller;
  const user = await ctx.em.findOne(User, { id: userId });
  const from = user?.password_hash ?? null;
  if (user === null || from === null) throw new MarketplaceError('forbidden', null, { text: 'You have no password.' });
  const proven = await limitedAttempt(
    ctx,
    user.email,
    async () => (await verifyPassword(from, current_password)) || null,
  );
  const target = { type: 'user', id: userId } as const;
  if (proven === null) {
    await audit(ctx, { action: 'user.change_password_refused', target });
    throw new MarketplaceError('forbidden', null, { text: 'The current password is wrong.' });
  }
  const to = await hashPassword(new_password);
  const ended = await ctx.em.transactional(async (em) => {
    // The user before the sessions, as a sign-in does. A refresh has its session first, and holds of the user only that
    // the row stays, which this does not wait for.
    const isReplaced = await replacePasswordHash(em, userId, { from, to, at: ctx.now() });
    if (!isReplaced) return null;
    await audit(ctx, { action: 'user.change_password', target }, em);
    return await revokeFamiliesOf(em, userId, sessionId, ctx.now());
  });
  if (ended === null)
    throw new MarketplaceError('conflict', null, { text: 'The password was changed at the same time.' });
  ctx.endedSessions.add(ended);
  return { ended_sessions: ended.length };
}

function requireSessionHere({ caller, settings }: Context): void {
  if (caller.sessionId === null && settings.oidc !== null) throw signInElsewhere('forbidden', settings.oidc.issuer);
}

export async function me(ctx: Context): Promise<UserRecord> {
  const user = await ctx.em.findOne(User, { id: ctx.caller.userId });
  if (user === null) throw new MarketplaceError('unauthenticated');
  return toUserRecord(user);
}
