import { MarketplaceError } from '../../domain/errors.ts';

/** Runs a few pieces of work at once and lets a few more wait. */
export interface BoundedQueue {
  /** Throws `unavailable` at once, and runs nothing, where no room is left to wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A queue for work that the process must not be flooded with. */
export function boundedQueue({
  running,
  waiting,
}: {
  readonly running: number;
  readonly waiting: number;
}): BoundedQueue {
  let busy = 0;
  const queue: (() => void)[] = [];
  const release = () => {
    // The place is handed on, so that nobody slips in between.
    const next = queue.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  const enter = async () => {
    if (busy < running) {
      busy += 1;
      return;
    }
    if (queue.length >= waiting) throw new MarketplaceError('unavailable', { retry_after_sec: 1 });
    const turn = Promise.withResolvers<void>();
    queue.push(turn.resolve);
    await turn.promise;
  };
  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
