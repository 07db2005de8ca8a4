import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Em } from '../../domain/store/orm.ts';
import { familiesEndedWithin, isFamilyEnded } from '../../domain/store/refresh-token.store.ts';
import { accessTokenLifeSec } from './access-token.ts';

const channel = 'session_end';
const reconnectAfterMs = 500;
const heartbeatMs = 2_000;
/** Silence for longer than this is a lost connection, whatever TCP says. */
const trustedForMs = 5_000;
/** No access token outlives its session by more; the minute is for clocks that differ. */
const rememberedSec = accessTokenLifeSec + 60;

/** Which sessions were ended while access tokens of theirs may still be about. */
export interface EndedSessions {
  /** Answers from memory while the database is heard, else asks it: a lost connection costs a query, never lets in. */
  has(sessionId: string): boolean | Promise<boolean>;
  /** Ended on this node just now; the others hear of it from the database. */
  add(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/** Listens for ends over one connection of its own, which is opened again whenever it breaks. */
export function openEndedSessions(newEm: () => Em, databaseUrl: string): EndedSessions {
  const forgottenAtMs = new Map<string, number>();
  const closing = new AbortController();
  let heardAtMs = -Infinity;
  const add = (sessionIds: readonly string[]) => {
    for (const id of sessionIds) forgottenAtMs.set(id, performance.now() + rememberedSec * 1000);
  };
  const listening = listen(databaseUrl, closing.signal, {
    ended: (sessionId) => add([sessionId]),
    // What was ended while nobody listened has to be looked up before memory is believed again.
    connected: async () => add(await familiesEndedWithin(newEm(), rememberedSec)),
    heard: (atMs) => {
      heardAtMs = atMs;
      for (const [id, untilMs] of forgottenAtMs) {
        // In the order of insertion, which is that of time.
        if (untilMs > atMs) break;
        forgottenAtMs.delete(id);
      }
    },
    lost: () => {
      heardAtMs = -Infinity;
    },
  });
  return {
    has: (sessionId) => {
      if (forgottenAtMs.has(sessionId)) return true;
      if (performance.now() - heardAtMs < trustedForMs) return false;
      return isFamilyEnded(newEm(), sessionId);
    },
    add,
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}

interface Listener {
  readonly ended: (sessionId: string) => void;
  readonly connected: () => Promise<void>;
  /** Everything that was told before this time, by the monotonic clock, has arrived. */
  readonly heard: (atMs: number) => void;
  readonly lost: () => void;
}

async function listen(databaseUrl: string, closing: AbortSignal, listener: Listener): Promise<void> {
  while (!closing.aborted) {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'marketplace-session-end',
      connectionTimeoutMillis: 5_000,
      query_timeout: trustedForMs,
    });
    const broken = new AbortController();
    const stop = () => broken.abort();
    client.on('error', stop).on('end', stop);
    client.on('notification', ({ payload }) => listener.ended(payload ?? ''));
    closing.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await beat(client, listener, broken.signal);
    } catch {
      // The database is away; the loop tries again.
    }
    listener.lost();
    closing.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
    await delay(reconnectAfterMs, undefined, { signal: closing }).catch(() => undefined);
  }
}

async function beat(client: pg.Client, listener: Listener, broken: AbortSignal): Promise<void> {
  let askedAtMs = performance.now();
  await listener.connected();
  while (!broken.aborted) {
    listener.heard(askedAtMs);
    await delay(heartbeatMs, undefined, { signal: broken });
    askedAtMs = performance.now();
    await client.query('select 1');
  }
}
