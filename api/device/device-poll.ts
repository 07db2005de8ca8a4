import { v7 } from 'uuid';
import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { intervalStepSec, judgePoll, longestIntervalSec, type PollVerdict } from '../../domain/identity/device-code.ts';
import type { DeviceSessionRow } from '../../domain/store/device-session.entity.ts';
import { devicePlatformId, lockDeviceSession } from '../../domain/store/device-session.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { lockGrant } from '../../domain/store/platform-grant.store.ts';
import { sealWith } from '../../domain/store/seal.ts';
import { makeApiKey } from '../auth/api-key.ts';
import { hashSecret } from '../auth/random-token.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import type { approved } from './device.schemas.ts';

interface Outcome {
  readonly verdict: PollVerdict;
  readonly session: DeviceSessionRow | null;
  readonly apiKey: string | null;
  /** Whether this poll made the key. */
  readonly isNew: boolean;
}

/** Tells the holder of a device code how the session stands, and once it is approved, the key. */
export async function pollDeviceSession(ctx: Context<null>, deviceCode: string): Promise<z.output<typeof approved>> {
  const at = ctx.now();
  // What a poll changes has to commit, whatever it answers: refusals are thrown outside of the SQL transaction.
  const { verdict, session, apiKey, isNew } = await ctx.em.transactional((em) => poll(ctx, em, deviceCode, at));
  if (session === null || verdict === 'expired') throw new MarketplaceError('expired_token', { status: 'expired' });
  const { agent_platform_type, interval_sec: interval } = session;
  if (verdict === 'denied') throw new MarketplaceError('access_denied', { status: 'denied' });
  if (verdict === 'slow_down')
    throw new MarketplaceError('slow_down', { status: 'pending', interval, retry_after_sec: interval });
  if (apiKey === null || session.user_id === null) {
    const expires_in = Math.ceil((session.expires_at.getTime() - at.getTime()) / 1000);
    throw new MarketplaceError('authorization_pending', {
      status: 'pending',
      interval,
      expires_in,
      agent_platform_type,
    });
  }
  const { id, user_id, api_key_id } = session;
  if (isNew) ctx.log.info({ device_session_id: id, agent_platform_type, user_id, api_key_id }, 'device key handed out');
  return { status: 'approved', api_key: apiKey, user_id, agent_platform_type };
}

async function poll(ctx: Context<null>, em: Em, deviceCode: string, at: Date): Promise<Outcome> {
  const session = await lockDeviceSession(em, { device_code_hash: hashSecret(deviceCode) });
  const verdict = judgePoll(session, at);
  if (session === null) return { verdict, session, apiKey: null, isNew: false };
  if (verdict === 'approved') return await approvedOutcome(ctx, em, session, deviceCode);
  if (verdict === 'pending' || verdict === 'slow_down') session.last_polled_at = at;
  if (verdict === 'slow_down')
    session.interval_sec = Math.min(session.interval_sec + intervalStepSec, longestIntervalSec);
  return { verdict, session, apiKey: null, isNew: false };
}

/**
 * The key is made at the first poll that can have it, and sealed under the device code: an answer that was lost can be
 * polled again, and the database alone opens nothing.
 */
async function approvedOutcome(
  ctx: Context<null>,
  em: Em,
  session: DeviceSessionRow,
  deviceCode: string,
): Promise<Outcome> {
  const at = ctx.now();
  const seal = sealWith(Buffer.from(deviceCode));
  if (session.sealed_api_key !== null) {
    return {
      verdict: 'approved',
      session,
      apiKey: seal.decrypt(session.sealed_api_key, sealPurpose(session)),
      isNew: false,
    };
  }
  const { user_id: userId, agent_platform_type: type } = session;
  if (userId === null) throw new Error(`device session ${session.id} is approved by nobody`);
  const platformId = await devicePlatformId(em, v7(), type, at);
  // The person may have thought better of it before the agent came for the key, or may be about to: then the key is
  // there, and ends with the right.
  if (!(await lockGrant(em, platformId, userId))) return { verdict: 'denied', session, apiKey: null, isNew: false };
  const { row, apiKey } = makeApiKey(em, { platformId, userId, name: type, expiresAt: null, at });
  // The session refers to the key: it must be there first.
  await em.flush();
  session.api_key_id = row.id;
  session.sealed_api_key = seal.encrypt(apiKey, sealPurpose(session));
  const target = { type: 'api_key', id: row.id } as const;
  const data = { device_session_id: session.id, agent_platform_type: type };
  const proven = { actorUserId: userId, credential: 'device_code' } as const;
  await audit(ctx, { action: 'device_session.hand_out_key', target, data, ...proven }, em);
  return { verdict: 'approved', session, apiKey, isNew: true };
}

function sealPurpose({ id }: DeviceSessionRow): string {
  return `device-session/${id}`;
}
