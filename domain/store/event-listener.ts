import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Prepared } from './prepared.ts';
import { Subscriptions } from './subscription.ts';

const channel = 'event';
const reconnectAfterMs = 500;
const heartbeatMs = 5_000;
/** Silence for longer than this is a lost connection, whatever TCP says. */
const answerWithinMs = 5_000;
const goodbyeWithinMs = 500;

/** Word of events from PostgreSQL's NOTIFY, over one connection a process, which is opened again whenever it breaks. */
export interface EventListener {
  /** Aborts when the process stops. */
  readonly closed: AbortSignal;
  /** Calls `wake` after each commit that wrote an event of this transaction, and after every reconnect. */
  subscribe(transactionId: string, wake: () => void): () => void;
  /** Calls `wake` after each commit that wrote any event, and after every reconnect. */
  subscribeToAll(wake: () => void): () => void;
  /** Runs a statement over the connection that listens; rejects while there is none, or after 5 s. */
  query<Row extends object>(statement: Prepared, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Listens from now on; comes back at once, also while the database is away. */
export function openEventListener(databaseUrl: string): EventListener {
  const byTransaction = new Subscriptions<[]>();
  const all = new Subscriptions<[]>();
  const closing = new AbortController();
  let connected: pg.Client | null = null;
  const listening = listen(databaseUrl, closing.signal, {
    notified: (transactionId) => {
      byTransaction.tell(transactionId);
      all.tell(channel);
    },
    // What was written while nobody listened has to be looked up.
    connected: (client) => {
      connected = client;
      byTransaction.tellAll();
      all.tell(channel);
    },
    lost: () => {
      connected = null;
    },
  });
  return {
    closed: closing.signal,
    subscribe: (transactionId, wake) => byTransaction.add(transactionId, wake),
    subscribeToAll: (wake) => all.add(channel, wake),
    query: async <Row extends object>(statement: Prepared, values: readonly unknown[]) => {
      if (connected === null) throw new Error('Connection ended: events are not listened to');
      return (await connected.query<Row>({ ...statement, values: [...values] })).rows;
    },
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}

interface Handlers {
  readonly notified: (transactionId: string) => void;
  readonly connected: (client: pg.Client) => void;
  readonly lost: () => void;
}

async function listen(databaseUrl: string, closing: AbortSignal, handlers: Handlers): Promise<void> {
  while (!closing.aborted) {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'marketplace-event',
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      stream: () => socket,
    });
    const broken = new AbortController();
    const stop = () => broken.abort();
    client.on('error', stop).on('end', stop);
    client.on('notification', ({ payload }) => handlers.notified(payload ?? ''));
    closing.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      handlers.connected(client);
      await beat(client, broken.signal);
    } catch {
      // The database is away, or silent; the loop tries again.
    }
    handlers.lost();
    closing.removeEventListener('abort', stop);
    // A peer that is gone without a word never answers the goodbye.
    await Promise.race([client.end().catch(() => undefined), delay(goodbyeWithinMs)]);
    socket.destroy();
    await delay(reconnectAfterMs, undefined, { signal: closing }).catch(() => undefined);
  }
}

async function beat(client: pg.Client, broken: AbortSignal): Promise<void> {
  while (!broken.aborted) {
    await delay(heartbeatMs, undefined, { signal: broken });
    await client.query('select 1');
  }
}
