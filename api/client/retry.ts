import type { NoAnswerError, MarketplaceError } from './error.ts';

const firstBackoffMs = 250;
const longestBackoffMs = 5_000;

/** For how long, and how often, a call is tried. */
export interface RetryPolicy {
  /** No try starts later than this after the first. 0: one try. */
  readonly forMs: number;
  readonly attemptsMax: number;
}

/** Told before each further try, for those who want to follow. */
export interface RetryNotice {
  /** `POST /api/v1/transactions` */
  readonly call: string;
  /** How many tries have failed so far. */
  readonly attempts: number;
  readonly error: MarketplaceError | NoAnswerError;
  readonly waitMs: number;
}

/** How long to wait before the next try; the service's own word counts where it asks for longer. */
export function backoffMs(attempts: number, retryAfterMs: number | null): number {
  const longest = Math.min(firstBackoffMs * 2 ** (attempts - 1), longestBackoffMs);
  // Half of it by chance, so that clients that failed together do not come back together.
  return Math.max(longest / 2 + (longest / 2) * Math.random(), retryAfterMs ?? 0);
}

/** Waits. Rejects with the signal's reason as soon as it aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** As `work` ends, or rejects with the signal's reason as soon as it aborts; `work` goes on, for whoever shares it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // A signal may outlive many calls, and must not keep what listened for each.
    over.abort();
  }
}
