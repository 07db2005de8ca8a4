import type { FastifyBaseLogger } from 'fastify';
import { forgetAnswers } from '../domain/store/idempotency.store.ts';
import { overdueTransactions } from '../domain/store/transaction.store.ts';
import type { Deps } from './deps.ts';

const everyMs = 60_000;
const answersKeptHours = 48;
const batch = 500;
/** A running workflow acts at its deadline within seconds; a row that is later than this may have lost its workflow. */
const overdueAfterMs = 5 * 60_000;

/** Forgets old answers and starts lost workflows again. Safe on every node at once; answers how to stop it. */
export function startMaintenance(deps: Deps, log: FastifyBaseLogger): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void tidyUp(deps)
      .catch((error: unknown) => log.warn({ err: error }, 'maintenance failed, tried again in a minute'))
      .finally(() => {
        running = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}

/** One round. */
export async function tidyUp(deps: Deps): Promise<void> {
  const em = deps.orm.em.fork();
  await forgetAnswers(em, answersKeptHours, batch);
  const before = new Date(deps.now().getTime() - overdueAfterMs);
  for (const state of await overdueTransactions(em, before, batch)) await deps.workflows.resume(state);
}
