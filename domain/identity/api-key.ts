import type { OperationClass } from '../caller.ts';
import { isWithin } from './address-range.ts';

/** API keys look like `mk_live_` and 43 characters: 32 random bytes in base64url. */

const keyStart = 'mk_live_';
const shownCharacters = keyStart.length + 6;

/** Takes 32 random bytes. */
export function formatApiKey(random: Uint8Array): string {
  return keyStart + Buffer.from(random).toString('base64url');
}

/** What lists show of a key: enough to tell keys apart, too little to guess the rest. */
export function apiKeyPrefix(apiKey: string): string {
  return apiKey.slice(0, shownCharacters);
}

export type PlatformKind = 'partner' | 'device';

/**
 * Whether a key is one for this user. A key that one person approved on a device is theirs alone, whoever else granted
 * the platform that all devices of a type share; a partner's key acts for every user who grants the partner.
 */
export function actsFor(
  { kind, userId }: { readonly kind: PlatformKind; readonly userId: string | null },
  namedUserId: string,
): boolean {
  return userId === null ? kind === 'partner' : userId === namedUserId;
}

/** A known key, and whether it is one for the user it is used for, who has granted its platform. */
export interface ApiKeyUse {
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly granted: boolean;
  readonly operations: readonly OperationClass[];
  /** Addresses and networks that it may be used from; null for any. */
  readonly addresses: readonly string[] | null;
}

export type ApiKeyVerdict = 'usable' | 'invalid_api_key' | 'address_not_allowed' | 'user_not_granted';

/** Whether a key may be used now and from this address. One that does not hold says nothing of the user. */
export function judgeApiKey(use: ApiKeyUse | null, now: Date, address: string): ApiKeyVerdict {
  if (use === null || !isLive(use, now)) return 'invalid_api_key';
  if (use.addresses !== null && !isWithin(address, use.addresses)) return 'address_not_allowed';
  return use.granted ? 'usable' : 'user_not_granted';
}

/** Whether a key is neither revoked nor expired. */
export function isLive({ expires_at, revoked_at }: Pick<ApiKeyUse, 'expires_at' | 'revoked_at'>, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at.getTime() > now.getTime());
}

/** When a key that is replaced stops: after the overlap, and never later than it would have by itself. */
export function replacedKeyExpiry(expiresAt: Date | null, overlapMs: number, now: Date): Date {
  const endMs = now.getTime() + overlapMs;
  return new Date(expiresAt === null ? endMs : Math.min(endMs, expiresAt.getTime()));
}
