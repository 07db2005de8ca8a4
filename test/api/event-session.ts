import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { openEventListener, type EventListener } from '../../domain/store/event-listener.ts';
import type { Prepared } from '../../domain/store/prepared.ts';
import { openEventTail, type EventTail } from '../../domain/store/event-tail.ts';
import { startService, type Service } from '../harness.ts';

/** A connection of its own, whose SQL transactions a test begins and ends as it likes. */
export interface Session {
  readonly client: Client;
  /** Writes an event and answers its number. */
  append(name?: string): Promise<bigint>;
  run(sql: string): Promise<void>;
  /** Ends it as an operator does, from outside. */
  kill(): Promise<void>;
}

/** Who is told of the events of one test. */
export const newAudience = () => randomUUID();

export async function openSession(
  databaseUrl: string,
  audience: string,
  cleanup: AsyncDisposableStack,
): Promise<Session> {
  const client = new Client({ connectionString: databaseUrl });
  // One that is killed says so here as well.
  client.on('error', () => undefined);
  await client.connect();
  cleanup.defer(() => client.end().catch(() => undefined));
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  return {
    client,
    append: async (name = 'test.event') => {
      await client.query(`select append_event($1, 'system', null, array[$2]::uuid[], '{}', now())`, [name, audience]);
      const { rows } = await client.query<{ seq: string }>(`select currval('event_seq_seq') as seq`);
      return BigInt(rows[0]?.seq ?? 0);
    },
    run: async (sql) => void (await client.query(sql)),
    kill: async () => {
      const killer = new Client({ connectionString: databaseUrl });
      await killer.connect();
      await killer.query('select pg_terminate_backend($1)', [pid]);
      await killer.end();
    },
  };
}

/** A tail, what it told the audience, and how often it looked who holds a gap. */
export interface WatchedTail {
  readonly tail: EventTail;
  readonly told: readonly bigint[];
  /** Comes back when its first position is known. */
  isReady(): Promise<void>;
  /** Comes back when as many have been told. */
  hasTold(count: number): Promise<void>;
  /** Comes back when the tail has looked at the holders so often again: it had every chance to be wrong. */
  looks(times: number): Promise<void>;
  /** Comes back when it has settled this number, or has looked at the holders again and again and did not dare. */
  hasDecided(seq: bigint): Promise<void>;
}

/** `before` is called before each of the tail's queries, with its name. */
export function watchTail(
  listener: EventListener,
  audience: string,
  before: (query: string) => Promise<void> = async () => undefined,
): WatchedTail {
  let looked = 0;
  const tail = openEventTail({
    ...listener,
    query: async <Row extends object>(statement: Prepared, values: readonly unknown[]) => {
      await before(statement.name);
      const rows = await listener.query<Row>(statement, values);
      // Counted when it is answered: who comes now was not seen.
      if (statement.name === 'event-lock-holder') looked += 1;
      return rows;
    },
  });
  const told: bigint[] = [];
  tail.subscribe(audience, ({ seq }) => told.push(seq));
  const until = async (what: string, isSo: () => boolean) =>
    await pollUntil(what, { timeoutMs: 10_000, everyMs: 5 }, async () => {
      if (!isSo()) throw new Error(`told ${told.length}, settled ${tail.settledSeq}, looked ${looked} times`);
    });
  return {
    tail,
    told,
    isReady: async () => await until('the first position', () => tail.settledSeq !== null),
    hasTold: async (count) => await until(`${count} events`, () => told.length >= count),
    looks: async (times) => {
      const start = looked;
      await until(`${times} looks`, () => looked >= start + times);
    },
    hasDecided: async (seq) => {
      const start = looked;
      await until(`${seq} settled, or two looks`, () => (tail.settledSeq ?? 0n) >= seq || looked >= start + 2);
    },
  };
}

/** What the test that runs has of its own. */
export interface Listening {
  readonly listener: EventListener;
  readonly audience: string;
  readonly session: () => Promise<Session>;
  /** `watchTail` of the listener and the audience. */
  readonly watch: (before?: (query: string) => Promise<void>) => WatchedTail;
}

/** Starts a service for the tests of a file, and for each a listener and an audience; all is closed when they end. */
export function openListening(): Listening {
  let service: Service;
  let cleanup: AsyncDisposableStack;
  let listener: EventListener;
  let audience: string;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());
  beforeEach(() => {
    cleanup = new AsyncDisposableStack();
    audience = newAudience();
    listener = openEventListener(service.databaseUrl);
    cleanup.defer(() => listener.close());
  });
  afterEach(() => cleanup.disposeAsync());
  return {
    get listener() {
      return listener;
    },
    get audience() {
      return audience;
    },
    session: () => openSession(service.databaseUrl, audience, cleanup),
    watch: (before) => watchTail(listener, audience, before),
  };
}
