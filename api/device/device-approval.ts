import { v7 } from 'uuid';
import type { z } from 'zod';
import { MarketplaceError, type ErrorName } from '../../domain/errors.ts';
import { judgeDecision, lookersAtMost, mayLookUp, normalizeUserCode } from '../../domain/identity/device-code.ts';
import { lockTries, recordTry, triesResumeAt, type TrySubject } from '../../domain/store/device-code-try.store.ts';
import type { DeviceSessionRow } from '../../domain/store/device-session.entity.ts';
import { devicePlatformId, lockDeviceSession } from '../../domain/store/device-session.store.ts';
import { storeAnswer } from '../../domain/store/idempotency.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { grantPlatform } from '../../domain/store/platform-grant.store.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import type { confirmBody, confirmed, lookedUp } from './device.schemas.ts';
import { networkOf, userCodeHash } from './device.operations.ts';

/** Wrong codes in this time are counted together. */
export const tryWindowMs = 10 * 60_000;
const triesPerUser = 10;
const triesPerNetwork = 20;

type Decision = z.output<typeof confirmed>;

/** What a code came to. `wrong`: it counts as a guess. `onCommit` runs once the outcome is for good. */
type Outcome<T> =
  { readonly data: T; readonly onCommit?: () => void } | { readonly refusal: ErrorName; readonly wrong: boolean };

/** Shows the person which agent asks. Unknown, ended and decided by somebody else are all the same `not_found`. */
export async function lookUpDeviceSession(ctx: Context, typed: string): Promise<z.output<typeof lookedUp>> {
  return await withSession(ctx, typed, async (_em, session, at) => {
    if (session === null || !mayLookUp(session, ctx.caller.userId, at)) return { refusal: 'not_found', wrong: true };
    const { agent_platform_type, status, address, user_agent, created_at, expires_at } = session;
    const times = { created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
    const data = {
      user_code: normalizeUserCode(typed) ?? '',
      agent_platform_type,
      status,
      ...times,
      address,
      user_agent,
    };
    return { data };
  });
}

/** Approves or denies, once and for all. */
export async function decideDeviceSession(
  ctx: Context,
  { user_code: typed, approve }: z.output<typeof confirmBody>,
): Promise<Decision> {
  return await withSession(ctx, typed, async (em, session, at) => {
    const verdict = judgeDecision(session, { userId: ctx.caller.userId, approve }, at);
    if (session === null || verdict === 'unknown') return { refusal: 'not_found', wrong: true };
    if (verdict === 'expired') return { refusal: 'expired_token', wrong: true };
    if (verdict === 'conflict') return { refusal: 'conflict', wrong: session.user_id !== ctx.caller.userId };
    const data: Decision = {
      status: approve ? 'approved' : 'denied',
      agent_platform_type: session.agent_platform_type,
    };
    if (verdict === 'decide') await decide(ctx, em, session, data.status, at);
    if (ctx.idempotency !== null) await storeAnswer(em, ctx.idempotency, 200, data);
    return verdict === 'decide' ? { data, onCommit: () => logDecision(ctx, session) } : { data };
  });
}

function logDecision(ctx: Context, { id, agent_platform_type, user_id, status }: DeviceSessionRow): void {
  ctx.log.info({ device_session_id: id, agent_platform_type, user_id }, `device session ${status}`);
}

async function decide(ctx: Context, em: Em, session: DeviceSessionRow, status: Decision['status'], at: Date) {
  const { userId } = ctx.caller;
  const { agent_platform_type: type } = session;
  session.status = status;
  session.user_id = userId;
  session.decided_at = at;
  if (status === 'approved') await grantPlatform(em, await devicePlatformId(em, v7(), type, at), userId, at);
  const action = status === 'approved' ? 'device_session.approve' : 'device_session.deny';
  const target = { type: 'device_session', id: session.id } as const;
  await audit(ctx, { action, target, data: { agent_platform_type: type } }, em);
}

/**
 * Runs `work` on the session of a code that somebody typed, which is locked. Wrong codes are counted for the person and
 * for the address, and too many stop right ones too: who could tell them apart would go on guessing.
 */
async function withSession<T>(
  ctx: Context,
  typed: string,
  work: (em: Em, session: DeviceSessionRow | null, at: Date) => Promise<Outcome<T>>,
): Promise<T> {
  const at = ctx.now();
  const subjects: TrySubject[] = [
    { subject: `user ${ctx.caller.userId}`, atMost: triesPerUser },
    { subject: `address ${networkOf(ctx.address)}`, atMost: triesPerNetwork },
  ];
  // A refusal is returned, not thrown, out of the SQL transaction: the count of tries has to commit.
  const outcome = await ctx.em.transactional(async (em): Promise<Outcome<T> | { resumeAt: Date }> => {
    await lockTries(em, subjects);
    const resumeAt = await triesResumeAt(em, subjects, at, tryWindowMs);
    if (resumeAt !== null) return { resumeAt };
    const found = await work(em, await findSession(ctx, em, typed, at), at);
    if ('wrong' in found && found.wrong) {
      await recordTry(em, subjects, at);
      await audit(ctx, { action: 'device_session.wrong_code' }, em);
    }
    return found;
  });
  if ('data' in outcome) {
    outcome.onCommit?.();
    return outcome.data;
  }
  if ('refusal' in outcome) throw new MarketplaceError(outcome.refusal);
  const waitSec = Math.max(1, Math.ceil((outcome.resumeAt.getTime() - at.getTime()) / 1000));
  throw new MarketplaceError('rate_limited', { retry_after_sec: waitSec });
}

/** A code that more people have than may look at it is about: its session ends. */
async function findSession(ctx: Context, em: Em, typed: string, at: Date): Promise<DeviceSessionRow | null> {
  const userCode = normalizeUserCode(typed);
  if (userCode === null) return null;
  const session = await lockDeviceSession(em, { user_code_hash: userCodeHash(ctx, userCode) });
  const { userId } = ctx.caller;
  if (session === null || session.looked_up_by.includes(userId) || session.expires_at <= at) return session;
  session.looked_up_by = [...session.looked_up_by, userId];
  if (session.looked_up_by.length > lookersAtMost) session.expires_at = at;
  return session;
}
