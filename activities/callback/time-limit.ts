/** What `withinTime` returns when the time is over. */
export const late = Symbol('late');

/** The longest time that Node's timers can hold; no call has so much. */
const longestTimerMs = 2 ** 31 - 1;

interface Limit {
  /** Epoch milliseconds. */
  readonly expiresAtMs: number;
  readonly signal: AbortSignal;
}

/**
 * Does the work until `expiresAtMs`, then returns `late`. Rejects with the reason of `signal` when that is aborted. The
 * work is told by its own signal that nobody waits any more, and is not waited for: part of it may not hear the signal.
 */
export async function withinTime<T>(
  { expiresAtMs, signal }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof late> {
  signal.throwIfAborted();
  const leftMs = expiresAtMs - Date.now();
  if (leftMs <= 0) return late;
  const end = new AbortController();
  const { promise: ended, resolve: endedLate, reject: endedByCaller } = Promise.withResolvers<typeof late>();
  const onTime = () => {
    endedLate(late);
    end.abort(late);
  };
  const onAbort = () => {
    endedByCaller(signal.reason);
    end.abort(signal.reason);
  };
  // The end of the seller's time is a moment, not an event.
  const timer = setTimeout(onTime, Math.min(leftMs, longestTimerMs));
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
