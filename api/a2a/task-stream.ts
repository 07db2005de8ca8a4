import type { Deps } from '../deps.ts';
import { eventsAfter } from '../../domain/store/event.store.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import type { A2aCall } from './call.ts';
import { readState } from './task.reads.ts';
import { recordAt, taskOf, type TaskView } from '../../domain/a2a/task-view.ts';
import {
  isTerminal,
  toRecord,
  type TransactionRecord,
  type TransactionState,
  type TransactionStatus,
} from '../../domain/transaction/transaction.ts';

const batchSize = 100;

/** One step of a transaction as it was recorded; the record has the status of that step, and all else as it is now. */
export interface TaskChange {
  readonly record: TransactionRecord;
  readonly isNewResult: boolean;
}

/**
 * Where a stream of this task goes on from, and the task as it is there. The state is null where nothing was bought yet, and
 * so nothing will happen.
 */
export async function startOfStream(
  call: A2aCall,
  task: TaskView,
): Promise<{ state: TransactionState | null; first: TaskView }> {
  if (task.metadata['transaction'] === null) return { state: null, first: task };
  const state = await readState(call, task.id);
  // It may have moved on since it was answered; the stream tells only what comes after the state.
  return { state, first: state.updated_at === task.changedAt ? task : taskOf(toRecord(state)) };
}

/**
 * The changes of a transaction after `state`, each as it commits, until `ends` says so of one, a terminal status, or the
 * signal. Read from the event table; NOTIFY only wakes.
 */
export async function* changesAfter(
  { orm, eventFeed }: Pick<Deps, 'orm' | 'eventFeed'>,
  state: TransactionState,
  ends: (status: TransactionStatus) => boolean,
  gone: AbortSignal,
): AsyncGenerator<TaskChange, void, undefined> {
  const alarm = new Alarm();
  const stopped = AbortSignal.any([gone, eventFeed.closed]);
  stopped.addEventListener('abort', () => alarm.ring(), { once: true });
  // Subscribed before the first look, so that nothing falls between the two.
  const unsubscribe = eventFeed.subscribe(state.id, () => alarm.ring());
  let seen = 0n;
  let hasResult = state.result_payload !== null;
  try {
    while (!stopped.aborted) {
      const events = await eventsAfter(orm.em.fork(), state.id, seen, batchSize);
      seen = BigInt(events.at(-1)?.seq ?? seen);
      const fresh = events.filter((event) => event.step > state.step);
      const now = fresh.length === 0 ? null : await findTransaction(orm.em.fork(), state.id);
      for (const event of now === null ? [] : fresh) {
        const record = recordAt(event, toRecord(now ?? state));
        const isNewResult = !hasResult && record.result_payload !== null;
        hasResult = record.result_payload !== null;
        yield { record, isNewResult };
        if (isTerminal(record.status) || ends(record.status)) return;
      }
      if (events.length < batchSize) await alarm.rung();
    }
  } finally {
    unsubscribe();
  }
}

/** Remembers a ring that nobody waited for. */
class Alarm {
  #rang = Promise.withResolvers<void>();

  ring(): void {
    this.#rang.resolve();
  }

  async rung(): Promise<void> {
    await this.#rang.promise;
    this.#rang = Promise.withResolvers();
  }
}
