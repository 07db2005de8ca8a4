import { randomBytes } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { displayedUserAgent, formatDeviceCode, formatUserCode } from '../../domain/identity/device-code.ts';
import {
  arePendingSessions,
  insertDeviceSession,
  lockNetwork,
  pendingOfNetwork,
} from '../../domain/store/device-session.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { storableAddress } from '../address.ts';
import { audit } from '../audit/audit.ts';
import { hashSecret, randomSecret } from '../auth/random-token.ts';
import type { Context } from '../deps.ts';
import type { startedSession } from './device.schemas.ts';

/** Sessions that may wait for one address, and for all together. */
const pendingPerNetwork = 20;
const pendingOverall = 100_000;
const retryWhenFullSec = 60;
const codeTries = 3;

/** What the hash of a user code is for. */
const userCodePurpose = 'device-user-code';

/** Both codes of a new session. The answer is the only place where they stand in clear. */
export async function startDeviceSession(
  ctx: Context<null>,
  agentPlatformType: string,
): Promise<z.output<typeof startedSession>> {
  const { deviceSessionLifeMs, devicePollIntervalMs, publicUrl } = ctx.settings;
  const intervalSec = Math.ceil(devicePollIntervalMs / 1000);
  const deviceCode = formatDeviceCode(randomSecret());
  const { id, userCode } = await ctx.em.transactional(async (em) => {
    const at = ctx.now();
    const network = networkOf(ctx.address);
    await refuseCrowd(em, network, at);
    const started = await insertWithFreeCode(ctx, em, {
      deviceCodeHash: hashSecret(deviceCode),
      agentPlatformType,
      address: storableAddress(ctx.address),
      network,
      userAgent: displayedUserAgent(ctx.userAgent),
      intervalSec,
      at,
      expiresAt: new Date(at.getTime() + deviceSessionLifeMs),
    });
    const target = { type: 'device_session', id: started.id } as const;
    await audit(ctx, { action: 'device_session.start', target, data: { agent_platform_type: agentPlatformType } }, em);
    return started;
  });
  ctx.log.info(
    { device_session_id: id, agent_platform_type: agentPlatformType, address: ctx.address },
    'device session started',
  );
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_url: `${publicUrl}/device?user_code=${userCode}`,
    expires_in: Math.floor(deviceSessionLifeMs / 1000),
    interval: intervalSec,
    agent_platform_type: agentPlatformType,
  };
}

/** The hash by which a session is found, of a code in its one form. */
export function userCodeHash({ secrets }: Pick<Context, 'secrets'>, userCode: string): Buffer {
  return secrets.keyedHash(userCode, userCodePurpose);
}

/** An IPv6 holder has a whole network of addresses: it counts as one. */
export function networkOf(address: string): string {
  return normalizeIP(address).slice(0, 100) || 'unknown';
}

async function refuseCrowd(em: Em, network: string, at: Date): Promise<void> {
  await lockNetwork(em, network);
  const { count, firstEnd } = await pendingOfNetwork(em, network, at);
  if (count >= pendingPerNetwork && firstEnd !== null) {
    const waitSec = Math.max(1, Math.ceil((firstEnd.getTime() - at.getTime()) / 1000));
    throw new MarketplaceError('rate_limited', { retry_after_sec: waitSec });
  }
  if (await arePendingSessions(em, pendingOverall, at))
    throw new MarketplaceError('unavailable', { retry_after_sec: retryWhenFullSec });
}

type SessionFields = Omit<Parameters<typeof insertDeviceSession>[1], 'id' | 'userCodeHash'>;

/** A code that another session has is as rare as a lucky guess; two in a row do not happen. */
async function insertWithFreeCode(ctx: Context<null>, em: Em, fields: SessionFields) {
  for (let attempt = 1; attempt <= codeTries; attempt += 1) {
    const id = v7();
    const userCode = formatUserCode(randomBytes(16));
    if (await insertDeviceSession(em, { ...fields, id, userCodeHash: userCodeHash(ctx, userCode) }))
      return { id, userCode };
  }
  throw new Error(`no free user code in ${codeTries} tries`);
}
