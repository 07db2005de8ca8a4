import { setTimeout as delay } from 'node:timers/promises';

/** Settles as `work` does, or rejects with "<what> took longer than …" after the limit. */
export async function withDeadline<T>(what: string, timeoutMs: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then((): never => {
    throw new Error(`${what} took longer than ${timeoutMs / 1000} s`);
  });
  // The losing side of the race must not surface later as an unhandled rejection.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/**
 * Calls `probe` until it succeeds. For states of other processes that announce nothing we could listen to. After the
 * limit it rejects with the last failure as cause; an aborted signal ends it at once with the signal's reason.
 */
export async function pollUntil(
  what: string,
  limits: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
  probe: () => Promise<unknown>,
): Promise<void> {
  const deadlineMs = performance.now() + limits.timeoutMs;
  for (;;) {
    limits.signal?.throwIfAborted();
    const remainingMs = deadlineMs - performance.now();
    const failure = await withDeadline('one attempt', Math.max(remainingMs, 1), probe()).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure === null) return;
    if (performance.now() >= deadlineMs) {
      throw new Error(`${what}: nothing after ${limits.timeoutMs / 1000} s (${messageOf(failure.error)})`, {
        cause: failure.error,
      });
    }
    await delay(limits.everyMs ?? 50);
  }
}

/** The text of whatever was thrown; of an AggregateError (a refused connection) its first part. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
