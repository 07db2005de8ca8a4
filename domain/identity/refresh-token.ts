/** Rotation with reuse detection (RFC 9700, section 4.14): a token works once, its second use ends the whole family. */

const refreshTokenLifeDays = 30;

interface RefreshTokenState {
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** `reused`: a copy is about, and nobody can tell which of the two holders is the right one. */
export type RefreshVerdict = 'rotate' | 'reused' | 'revoked' | 'expired';

/** What the coming of this token means. */
export function judgeRefresh(token: RefreshTokenState, now: Date): RefreshVerdict {
  if (token.revoked_at !== null) return 'revoked';
  if (token.used_at !== null) return 'reused';
  if (token.expires_at.getTime() <= now.getTime()) return 'expired';
  return 'rotate';
}

/** Of a token made now; each successor counts anew. */
export function refreshTokenExpiry(now: Date): Date {
  return new Date(now.getTime() + refreshTokenLifeDays * 24 * 3_600_000);
}
