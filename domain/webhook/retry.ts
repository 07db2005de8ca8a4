/** A receiver that asks for more patience than this is asked again all the same. */
const longestWaitMs = 24 * 3_600_000;
/** Of a wait, so that many deliveries that failed together do not come together again. */
const jitterShare = 0.2;

/** What is known of a delivery that has failed once more. */
export interface FailedRun {
  /** The wait after each failure, in milliseconds; after the last there is no other attempt. */
  readonly scheduleMs: readonly number[];
  /** With this one. */
  readonly failureCount: number;
  /** How long the receiver asks us to wait. */
  readonly retryAfterMs: number | null;
  /** From 0 to below 1, by chance. */
  readonly jitter: number;
}

/** Milliseconds until the next attempt; null where this was the last. Never sooner than the schedule says. */
export function waitBeforeRetry({ scheduleMs, failureCount, retryAfterMs, jitter }: FailedRun): number | null {
  const base = scheduleMs[failureCount - 1];
  if (base === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, longestWaitMs);
  return Math.round(Math.max(base, asked) * (1 + jitterShare * jitter));
}

/** Of the pause of a delivery whose receiver is busy with others: a part of its age, within these bounds. */
const busyPause = { share: 1 / 4, leastMs: 1_000, mostMs: 30_000 } as const;

/**
 * Milliseconds until a delivery asks again for a place at a busy receiver: the longer it has waited, the less often.
 * `jitter`, from 0 to below 1 by chance, doubles it at most, so that not all of them come at the same moment.
 */
export function pauseWhileBusy(ageMs: number, jitter: number): number {
  const base = Math.min(Math.max(ageMs * busyPause.share, busyPause.leastMs), busyPause.mostMs);
  return Math.round(base * (1 + jitter));
}

/** Reads Retry-After: seconds, or a date. Null where it is absent or says nothing. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Of what else Date.parse reads, nothing begins with the name of a day.
  const atMs = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
