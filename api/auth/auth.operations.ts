import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { normalizeEmail, toUserRecord, type UserRecord } from '../../domain/identity/user.ts';
import { listGrants, revokeGrant } from '../../domain/store/platform-grant.store.ts';
import { User } from '../../domain/store/user.entity.ts';
import { createUser } from '../../domain/store/user.store.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { grantQuery, loginBody, registerBody } from './auth.schemas.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endSession, rotateSession, startSession, type Session } from './session.ts';

/** Makes an account, its wallet and the signup grant. */
export async function register(ctx: Context<null>, body: z.output<typeof registerBody>): Promise<UserRecord> {
  // Before the SQL transaction: hashing takes its time, and a connection should not wait for it.
  const passwordHash = await hashPassword(body.password);
  const user = await ctx.em.transactional((em) =>
    createUser(em, {
      id: ctx.newId('user'),
      email: body.email,
      passwordHash,
      displayName: body.display_name,
      roles: ['user'],
      grantUt: ctx.settings.signupGrantUt,
      at: ctx.now(),
    }),
  );
  if (user === null)
    throw new MarketplaceError('conflict', { field: 'email' }, { text: 'This e-mail address is registered.' });
  return toUserRecord(user);
}

/** Signs in. An unknown address and a wrong password get the same answer after the same work. */
export async function login(ctx: Context<null>, { email, password }: z.output<typeof loginBody>): Promise<Session> {
  const user = await ctx.em.findOne(User, { email: normalizeEmail(email) });
  const matches = await verifyPassword(user?.password_hash ?? null, password);
  if (user === null || !matches) {
    throw new MarketplaceError('unauthenticated', null, { text: 'E-mail address or password is wrong.' });
  }
  return await startSession(ctx, user);
}

export async function refresh(ctx: Context<null>, refreshToken: string): Promise<Session> {
  return await rotateSession(ctx, refreshToken);
}

export async function logout(ctx: Context<null>, refreshToken: string): Promise<{ logged_out: true }> {
  await endSession(ctx, refreshToken);
  return { logged_out: true };
}

export async function me(ctx: Context): Promise<UserRecord> {
  const user = await ctx.em.findOne(User, { id: ctx.caller.userId });
  if (user === null) throw new MarketplaceError('unauthenticated');
  return toUserRecord(user);
}

/** The platforms that may act for the caller. */
export async function listMyGrants(ctx: Context, query: z.output<typeof grantQuery>) {
  const filter = { userId: ctx.caller.userId, platformId: query.platform_id ?? null };
  const { items, total } = await listGrants(ctx.em, filter, (query.page - 1) * query.page_size, query.page_size);
  const records = items.map(({ platform_id, platform_name, created_at }) => ({
    platform_id,
    platform_name,
    created_at: new Date(created_at).toISOString(),
  }));
  return paged(records, total, query);
}

/** Takes from a platform the right to act for the caller; its keys stop working for them at once. */
export async function revokeMyGrant(ctx: Context, platformId: string): Promise<{ id: string; deleted: true }> {
  const revoked = await revokeGrant(ctx.em, platformId, ctx.caller.userId, ctx.now());
  if (!revoked) throw new MarketplaceError('not_found');
  return { id: platformId, deleted: true };
}
