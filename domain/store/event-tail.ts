import { setTimeout as delay } from 'node:timers/promises';
import { noteHolders, settle, type Gap } from './event-gap.ts';
import type { EventListener } from './event-listener.ts';
import type { EventRecord } from '../event/event.ts';
import { eventColumns, eventOf, type EventRow } from './event.store.ts';
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

/** Follows all events in the order of their numbers, as long as anybody wants to know; one a process. */
export interface EventTail {
  /**
   * Every event up to here can be read, and none will be added. Null where it is not known: nobody wanted to know lately,
   * or the SQL transactions have not ended that were writing events when somebody did.
   */
  readonly settledSeq: bigint | null;
  /** The same for whoever asks once; null where it is not found out within `withinMs`. */
  settled(withinMs: number): Promise<bigint | null>;
  /** Calls `wake` whenever `settledSeq` has moved. */
  onMove(wake: () => void): () => void;
  /**
   * Calls `receive` with each event of which this user is told, in order: all those after the `settledSeq` of the
   * moment of the call; where that is null, after the next. It must not throw.
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
const followingNumbers = prepare(
  'event-following-number',
  'select seq::text from event where seq > ? order by seq limit ?',
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
  /** Null where nobody is there to be told. */
  readonly told: { readonly audience: readonly string[]; readonly row: EventRow } | null;
}

export interface TailPace {
  /** Between two looks, for whoever would rather have many events together than each at once. */
  readonly restMs: number;
  /** So long after somebody asked it goes on following, because they may ask again. */
  readonly lingerMs: number;
}

const defaultPace: TailPace = { restMs: 0, lingerMs: 10_000 };

/** Follows from the events of now on; what was before is read from the table. */
export function openEventTail(listener: EventListener, pace: Partial<TailPace> = {}): EventTail {
  const tail = new Tail(listener, { ...defaultPace, ...pace });
  const followed = tail.follow();
  return {
    get settledSeq() {
      return tail.settledSeq;
    },
    settled: async (withinMs) => await tail.settled(withinMs),
    onMove: (wake) => tail.add(tail.moves, '', wake),
    subscribe: (userId, receive) => tail.add(tail.receivers, userId, receive),
    close: async () => await followed,
  };
}

class Tail {
  readonly moves = new Subscriptions<[]>();
  readonly receivers = new Subscriptions<[SettledEvent]>();
  readonly #listener: EventListener;
  readonly #pace: TailPace;
  #settledSeq: bigint | null = null;
  /** Something was committed that nobody wanted to know of: the position is one of the past. */
  #isStale = true;
  #askedAtMs = -Infinity;
  #waiting = 0;
  #gap: Gap | null = null;
  /** How long the gap is left alone, and until when: then it is asked who holds it. */
  #pauseMs: number = gapPauseMs.first;
  #lookAtMs = 0;
  #woken = Promise.withResolvers<void>();
  #known = Promise.withResolvers<void>();

  constructor(listener: EventListener, pace: TailPace) {
    this.#listener = listener;
    this.#pace = pace;
    listener.subscribeToAll(() => (this.#isWanted() ? this.#woken.resolve() : this.#forget()));
    listener.closed.addEventListener('abort', () => this.#woken.resolve(), { once: true });
  }

  get settledSeq(): bigint | null {
    return this.#isStale ? null : this.#settledSeq;
  }

  async settled(withinMs: number): Promise<bigint | null> {
    this.#waiting += 1;
    this.#ask();
    if (this.settledSeq === null) {
      const over = new AbortController();
      const limit = delay(withinMs, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([this.#known.promise, limit]);
      over.abort();
    }
    this.#waiting -= 1;
    return this.settledSeq;
  }

  add<Told extends readonly unknown[]>(to: Subscriptions<Told>, topic: string, hear: (...told: Told) => void) {
    const remove = to.add(topic, hear);
    this.#ask();
    return remove;
  }

  #ask(): void {
    this.#askedAtMs = performance.now();
    if (this.#isStale) this.#woken.resolve();
  }

  #isWanted(): boolean {
    const isAsked = this.#waiting > 0 || performance.now() - this.#askedAtMs < this.#pace.lingerMs;
    return isAsked || !this.receivers.isEmpty || !this.moves.isEmpty;
  }

  #forget(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    this.#known = Promise.withResolvers();
  }

  /** One query at a time, however often it is woken. */
  async follow(): Promise<void> {
    const { closed } = this.#listener;
    while (!closed.aborted) {
      try {
        await this.#catchUp(closed);
        const restUntilMs = performance.now() + this.#pace.restMs;
        if (!closed.aborted) await this.#woken.promise;
        const restMs = restUntilMs - performance.now();
        if (restMs > 0) await delay(restMs, undefined, { signal: closed });
      } catch {
        // No connection, or no answer in time: what was noted stays noted, and is looked at again.
        await Promise.race([this.#woken.promise, delay(retryAfterMs)]);
      }
    }
  }

  async #catchUp(closed: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !closed.aborted;) {
      // Asked before each step: while a gap is open there is always another.
      if (!this.#isWanted()) return this.#stop();
      // Renewed before the look, so that nothing falls between the two.
      this.#woken = Promise.withResolvers();
      if (this.#isStale) this.#begin();
      isMore = this.#settledSeq === null ? await this.#start() : await this.#advance(this.#settledSeq);
      if (this.#gap !== null) await this.#pause();
    }
  }

  /** Whatever it was woken for, nobody wants to know any more. */
  #stop(): void {
    this.#forget();
    this.#woken = Promise.withResolvers();
  }

  /** Anew: nobody is owed what came meanwhile. */
  #begin(): void {
    this.#isStale = false;
    this.#settledSeq = null;
    this.#gap = null;
    this.#pauseMs = gapPauseMs.first;
    this.#lookAtMs = 0;
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
    const isHeard = !this.receivers.isEmpty;
    const rows = isHeard ? await this.#rows(settled) : await this.#numbers(settled);
    // Whoever came meanwhile is owed what is in them.
    if (!isHeard && !this.receivers.isEmpty) return true;
    const next = settle(rows, settled, gap);
    this.#moveTo(next.settled, rows.slice(0, next.count), next.gap);
    return next.gap !== null || rows.length === batchSize;
  }

  async #rows(settled: bigint): Promise<NumberedRow[]> {
    const found = await this.#listener.query<Row>(following, [settled.toString(), batchSize]);
    return found.map(({ audience, ...row }) => ({ seq: BigInt(row.seq), told: { audience, row } }));
  }

  async #numbers(settled: bigint): Promise<NumberedRow[]> {
    const found = await this.#listener.query<{ seq: string }>(followingNumbers, [settled.toString(), batchSize]);
    return found.map(({ seq }) => ({ seq: BigInt(seq), told: null }));
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
    const hasMoved = seq !== this.#settledSeq;
    if (gap !== null && (hasMoved || this.#gap === null)) {
      this.#pauseMs = gapPauseMs.first;
      this.#lookAtMs = performance.now() + this.#pauseMs;
    }
    this.#gap = gap;
    this.#settledSeq = seq;
    for (const { seq: number, told } of events) {
      if (told === null) continue;
      const event = { seq: number, record: eventOf(told.row) };
      for (const userId of told.audience) this.receivers.tell(userId, event);
    }
    if (!this.#isStale) this.#known.resolve();
    if (hasMoved) this.moves.tell('');
  }
}
