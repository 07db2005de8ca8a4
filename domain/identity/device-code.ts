/**
 * Device authorization (RFC 8628): the two codes, and what a poll or a decision means. The device code is 256-bit random
 * and stays with the agent; the user code is short, and typed or followed by the person who approves.
 */

/** Consonants without look-alikes, and no vowels that would make words (RFC 8628, section 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLetters = 8;
const groupLetters = 4;
const userCodeForm = new RegExp(`^[${userCodeAlphabet}]{${userCodeLetters}}$`);

/** How much the interval grows when it is not kept (RFC 8628, section 3.5), and where it stops. */
export const intervalStepSec = 5;
export const longestIntervalSec = 600;
/** Clocks of two nodes, and the timer of the agent, are not exact. */
const earlyByMs = 250;

/** As many people may look at one session's code; one more, and the code is about. */
export const lookersAtMost = 5;
const userAgentCharacters = 200;

/** Twice four letters, as `WDJB-MJHT`, of 16 random bytes: so many more than it needs that every code is as likely as any other. */
export function formatUserCode(random: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let letters = '';
  for (let place = 0; place < userCodeLetters; place += 1) {
    letters += userCodeAlphabet[Number(rest % BigInt(userCodeAlphabet.length))] ?? '';
    rest /= BigInt(userCodeAlphabet.length);
  }
  return grouped(letters);
}

/** The one form of a code that was typed in any case, with or without dash and spaces; null for what cannot be one. */
export function normalizeUserCode(typed: string): string | null {
  // Only these: other letters have capitals of another length, such as ß.
  const letters = typed.replaceAll(/[\s\-‐-―−]/g, '').replaceAll(/[a-z]/g, (one) => one.toUpperCase());
  return userCodeForm.test(letters) ? grouped(letters) : null;
}

function grouped(letters: string): string {
  return `${letters.slice(0, groupLetters)}-${letters.slice(groupLetters)}`;
}

/** Takes 32 random bytes. */
export function formatDeviceCode(random: Uint8Array): string {
  return `md_${Buffer.from(random).toString('base64url')}`;
}

/** What an agent says of itself, fit to be shown: bounded, and without characters that are not seen. Null for nothing. */
export function displayedUserAgent(given: string | undefined): string | null {
  const seen = (given ?? '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .slice(0, userAgentCharacters)
    .trim();
  return seen === '' ? null : seen;
}

export type DeviceSessionStatus = 'pending' | 'approved' | 'denied';
export const deviceSessionStatuses = [
  'pending',
  'approved',
  'denied',
] as const satisfies readonly DeviceSessionStatus[];

interface SessionState {
  readonly status: DeviceSessionStatus;
  readonly user_id: string | null;
  readonly expires_at: Date;
}

interface PolledState extends SessionState {
  readonly interval_sec: number;
  readonly last_polled_at: Date | null;
}

export type PollVerdict = 'pending' | 'slow_down' | 'approved' | 'denied' | 'expired';

/** What a poll comes to. Once the person has decided, no interval holds an agent up. */
export function judgePoll(session: PolledState | null, now: Date): PollVerdict {
  if (session === null || isOver(session, now)) return 'expired';
  if (session.status !== 'pending') return session.status;
  if (session.last_polled_at === null) return 'pending';
  const sinceMs = now.getTime() - session.last_polled_at.getTime();
  return sinceMs + earlyByMs < session.interval_sec * 1000 ? 'slow_down' : 'pending';
}

/** Whether a person may see this session: one that waits, or that they decided themselves, until it ends. */
export function mayLookUp(session: SessionState | null, userId: string, now: Date): boolean {
  if (session === null || isOver(session, now)) return false;
  return session.status === 'pending' || session.user_id === userId;
}

/** `repeated`: the same person decided the same before, and nothing changes. */
export type DecisionVerdict = 'decide' | 'repeated' | 'conflict' | 'expired' | 'unknown';

/** What a person's decision comes to. The first is final, for others and for the same person. */
export function judgeDecision(
  session: SessionState | null,
  { userId, approve }: { readonly userId: string; readonly approve: boolean },
  now: Date,
): DecisionVerdict {
  if (session === null) return 'unknown';
  if (session.user_id === userId) return session.status === (approve ? 'approved' : 'denied') ? 'repeated' : 'conflict';
  if (isOver(session, now)) return 'expired';
  return session.status === 'pending' ? 'decide' : 'conflict';
}

function isOver({ expires_at }: SessionState, now: Date): boolean {
  return expires_at.getTime() <= now.getTime();
}
