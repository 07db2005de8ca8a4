import { pollUntil } from '../../ops/stack/deadline.ts';
import { withDatabase } from './marketplace.ts';

/** A lock of the test's own, in the way of a statement of the service. */
export interface Lock {
  /** Comes back when somebody's statement waits for the lock. */
  isWaitedFor(): Promise<void>;
  /** Undoes the statements that wait: what a server does with those of a broken connection, when it notices. */
  undoWaiting(): Promise<void>;
  /** Lets the statements that wait commit, also where nobody waits for them any more. */
  release(): Promise<void>;
}

// Not by pg_stat_activity, which shows the same all through a transaction.
const blocked = 'select distinct pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
const endLimitMs = 5_000;

/** Does `work` while the test holds what the statement locks. */
export async function whileLocked<T>(
  databaseUrl: string,
  [statement, ...values]: readonly [statement: string, ...values: string[]],
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  return await withDatabase(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(statement, values);
    return await work({
      async isWaitedFor() {
        await pollUntil(`a statement that waits for: ${statement}`, { timeoutMs: 20_000, everyMs: 10 }, async () => {
          if ((await client.query(blocked)).rowCount === 0) throw new Error('nobody waits');
        });
      },
      async undoWaiting() {
        await client.query(`select pg_terminate_backend(pid, ${endLimitMs}) from (${blocked}) as waiting`);
      },
      release: async () => void (await client.query('commit')),
    });
  });
}
