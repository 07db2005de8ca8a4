import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionFailure } from '../domain/store/sql-error.ts';

const everyMs = 250;

/**
 * Records what came of a request to a stranger, while the database is away: what was asked once shall not be asked again for
 * a record that failed. `record` must be good to repeat, as it may have been done when its answer was lost. Throws what it
 * throws where the database is there, or stays away for `withinMs`.
 */
export async function whileAway<T>(record: () => Promise<T>, withinMs: number): Promise<T> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isConnectionFailure(error) || performance.now() > endMs) throw error;
      // A server that starts again says nothing when it is ready.
      await delay(everyMs);
    }
  }
}
