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

/** A known key, and whether the user it is used for has granted its platform. */
export interface ApiKeyUse {
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly granted: boolean;
}

export type ApiKeyVerdict = 'usable' | 'invalid_api_key' | 'user_not_granted';

/** Whether a key may be used now. One that does not hold says nothing of the user. */
export function judgeApiKey(use: ApiKeyUse | null, now: Date): ApiKeyVerdict {
  if (use === null || use.revoked_at !== null) return 'invalid_api_key';
  if (use.expires_at !== null && use.expires_at.getTime() <= now.getTime()) return 'invalid_api_key';
  return use.granted ? 'usable' : 'user_not_granted';
}
