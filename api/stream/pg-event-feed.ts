import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { EventFeed } from './event-feed.ts';

const channel = 'event';
const reconnectAfterMs = 500;

/** Feeds from PostgreSQL's NOTIFY over one connection of its own, which is opened again whenever it breaks. */
export function openEventFeed(databaseUrl: string): EventFeed {
  const wakes = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const listening = listen(databaseUrl, closing.signal, {
    notified: (transactionId) => wakes.emit(transactionId),
    // What was written while nobody listened has to be looked up.
    connected: () => wakes.eventNames().forEach((name) => wakes.emit(name)),
  });
  return {
    closed: closing.signal,
    subscribe(transactionId, wake) {
      wakes.on(transactionId, wake);
      return () => void wakes.off(transactionId, wake);
    },
    async close() {
      closing.abort();
      await listening;
    },
  };
}

interface Listener {
  readonly notified: (transactionId: string) => void;
  readonly connected: () => void;
}

async function listen(databaseUrl: string, closing: AbortSignal, listener: Listener): Promise<void> {
  while (!closing.aborted) {
    const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    const broken = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      closing.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', ({ payload }) => listener.notified(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      listener.connected();
      await broken;
    } catch {
      // The database is away; the loop tries again.
    }
    await client.end().catch(() => undefined);
    await delay(reconnectAfterMs, undefined, { signal: closing }).catch(() => undefined);
  }
}
