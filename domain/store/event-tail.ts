import { setTimeout as delay } from 'node:timers/promises';
import { noteHolders, settle, type Gap } from './event-gap.ts';
import type { EventListener } from './event-listener.ts';
import { eventColumns, eventOf, type EventRecord, type EventRow } from './event.store.ts';
import { prepare } from './prepared.ts';
import { Subscriptions } from './subscription.ts';

const batchSize = 200;
/** A gap is mostly a commit that overtook another, and closes with word of that one within some milliseconds. */
const gapPauseMs = { first: 5, longest: 50 } as const;
/** A pause so long goes on whatever comes: a gap that stays open makes the reads longer and longer. */
const undisturbedFromMs = 20;
const retryAfterMs = 200;

/** An event whose place in the feed is certain: nothing will ever come before it. */
export interface SettledEvent {
  readonly seq: bigint;
  readonly record: EventRecord;
}

/** Follows all events in the order of their numbers; one a process. */
export interface EventTail {
  /**
   * Every event up to here can be read, and none will be added. Null until the first position is known: some
   * milliseconds after the start, or when the SQL transactions have ended that were writing events by then.
   */
  readonly settledSeq: bigint | null;
  /** Calls `wake` whenever `settledSeq` has moved. */
  onMove(wake: () => void): () => void;
  /**
   * Calls `receive` with each event of which this user is told, in order: all those after the `settledSeq` of the
   * moment of the call. It must not throw.
   */
  subscribe(userId: string, receive: (event: SettledEvent) => void): () => void;
  /** Ends by itself when the listener closes; this waits for it. */
  close(): Promise<void>;
}

const highest = prepare('event-highest', 'select max(seq)::text as seq from event');
const following = prepare(
  'event-following',
  `select ${eventColumns}, e.audience from event e where e.seq > ? order by e.seq limit ?`,
);
// Taken by an insert before it is given a number, and held until its SQL transaction has ended and can be seen.
const lockHolders = prepare(
  'event-lock-holder',
  `select virtualtransaction as holder from pg_locks where locktype = 'relation' and relation = 'event'::regclass
    and database = (select oid from pg_database where datname = current_database())
    and mode = 'RowExclusiveLock' and granted`,
);

type Row = EventRow & { readonly audience: readonly string[] };

interface NumberedRow {
  readonly seq: bigint;
  readonly audience: readonly string[];
  readonly row: EventRow;
}

/** Starts to follow from the events of now on; what was before is read from the table. */
export function openEventTail(listener: EventListener): EventTail {
  const tail = new Tail(listener);
  const followed = tail.follow();
  return {
    get settledSeq() {
      return tail.settledSeq;
    },
    onMove: (wake) => tail.moves.add('', wake),
    subscribe: (userId, receive) => tail.receivers.add(userId, receive),
    close: async () => await followed,
  };
}

class Tail {
  readonly moves = new Subscriptions<[]>();
  readonly receivers = new Subscriptions<[SettledEvent]>();
  settledSeq: bigint | null = null;
  readonly #listener: EventListener;
  #gap: Gap | null = null;
  /** How long the gap is left alone, and until when: then it is asked who holds it. */
  #pauseMs: number = gapPauseMs.first;
  #lookAtMs = 0;
  #woken = Promise.withResolvers<void>();

  constructor(listener: EventListener) {
    this.#listener = listener;
    const wake = () => this.#woken.resolve();
    listener.subscribeToAll(wake);
    listener.closed.addEventListener('abort', wake, { once: true });
  }

  /** One query at a time, however often it is woken. */
  async follow(): Promise<void> {
    const { closed } = this.#listener;
    while (!closed.aborted) {
      try {
        await this.#catchUp(closed);
        if (!closed.aborted) await this.#woken.promise;
      } catch {
        // No connection, or no answer in time: what was noted stays noted, and is looked at again.
        await Promise.race([this.#woken.promise, delay(retryAfterMs)]);
      }
    }
  }

  async #catchUp(closed: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !closed.aborted;) {
      // Renewed before the look, so that nothing falls between the two.
      this.#woken = Promise.withResolvers();
      isMore = this.settledSeq === null ? await this.#start() : await this.#advance(this.settledSeq);
      if (this.#gap !== null) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    const over = delay(Math.max(0, this.#lookAtMs - performance.now()));
    await (this.#pauseMs < undisturbedFromMs ? Promise.race([this.#woken.promise, over]) : over);
  }

  /** The highest number there is, once everybody has ended who may own a lower one: no event is read. */
  async #start(): Promise<boolean> {
    if (this.#gap === null) {
      const [row] = await this.#listener.query<{ seq: string | null }>(highest, []);
      this.#gap = { upTo: BigInt(row?.seq ?? 0), holders: null };
    } else {
      const noted = await this.#noted(this.#gap);
      if (noted.holders?.size === 0) this.#moveTo(noted.upTo, [], null);
    }
    return true;
  }

  /** One step; true where there may be more to do at once. */
  async #advance(settled: bigint): Promise<boolean> {
    let gap = this.#gap;
    // Asked after a pause only: most gaps have closed by then.
    if (gap !== null && performance.now() >= this.#lookAtMs) {
      const noted = await this.#noted(gap);
      const isUnchanged = gap.holders !== null && noted.holders?.size === gap.holders.size && gap.holders.size > 0;
      if (isUnchanged) return true;
      gap = noted;
    }
    // Begun after the holders were noted: only so does what it lacks tell anything.
    const found = await this.#listener.query<Row>(following, [settled.toString(), batchSize]);
    const rows = found.map(({ audience, ...row }) => ({ seq: BigInt(row.seq), audience, row }));
    const next = settle(rows, settled, gap);
    this.#moveTo(next.settled, rows.slice(0, next.count), next.gap);
    return next.gap !== null || rows.length === batchSize;
  }

  /** Asks who holds the gap, and when to ask again. */
  async #noted(gap: Gap): Promise<Gap> {
    const rows = await this.#listener.query<{ holder: string }>(lockHolders, []);
    const noted = noteHolders(gap, new Set(rows.map(({ holder }) => holder)));
    this.#pauseMs = Math.min(this.#pauseMs * 2, gapPauseMs.longest);
    this.#lookAtMs = performance.now() + this.#pauseMs;
    this.#gap = noted;
    return noted;
  }

  #moveTo(seq: bigint, events: readonly NumberedRow[], gap: Gap | null): void {
    const hasMoved = seq !== this.settledSeq;
    if (gap !== null && (hasMoved || this.#gap === null)) {
      this.#pauseMs = gapPauseMs.first;
      this.#lookAtMs = performance.now() + this.#pauseMs;
    }
    this.#gap = gap;
    this.settledSeq = seq;
    for (const { seq: number, audience, row } of events) {
      const event = { seq: number, record: eventOf(row) };
      for (const userId of audience) this.receivers.tell(userId, event);
    }
    if (hasMoved) this.moves.tell('');
  }
}
