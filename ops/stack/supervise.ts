import { setTimeout as delay } from 'node:timers/promises';
import type { RunningChild } from './child.ts';
import { messageOf } from './deadline.ts';
import type { Log } from './progress.ts';

const MAX_DEATHS = 5;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 250;

/** A part that is started again when it dies. */
export type Supervised = {
  readonly name: string;
  /** Of the process that runs now; null between a death and the next start. */
  readonly pid: number | null;
  /** Resolves, never rejects, once the part has died too often to be started again. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
};

/**
 * Starts a part and starts it again whenever it dies, after a growing delay. Five deaths within a minute are a fault
 * that a restart does not mend: then it is given up. The first start is not repeated, its failure is the caller's.
 */
export async function supervise(
  name: string,
  start: () => Promise<RunningChild>,
  log: Log,
  firstDelayMs: number = FIRST_DELAY_MS,
): Promise<Supervised> {
  const stopping = new AbortController();
  const failed = Promise.withResolvers<Error>();
  let current: RunningChild | null = await start();
  const watching = keepRunning({ name, start, log, firstDelayMs, stopping: stopping.signal }, current, (child) => {
    current = child;
  });
  void watching.then((error) => error !== null && failed.resolve(error));
  return {
    name,
    get pid() {
      return current?.pid ?? null;
    },
    failed: failed.promise,
    async stop() {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}

type Watch = {
  readonly name: string;
  readonly start: () => Promise<RunningChild>;
  readonly log: Log;
  readonly firstDelayMs: number;
  readonly stopping: AbortSignal;
};

async function keepRunning(
  { name, start, log, firstDelayMs, stopping }: Watch,
  first: RunningChild,
  onChange: (child: RunningChild | null) => void,
): Promise<Error | null> {
  let child: RunningChild | null = first;
  let reason = '';
  const deathsMs: number[] = [];
  for (;;) {
    if (child !== null) reason = await child.exited;
    onChange(null);
    if (stopping.aborted) return null;

    const nowMs = performance.now();
    deathsMs.push(nowMs);
    const recent = deathsMs.filter((atMs) => nowMs - atMs < WINDOW_MS).length;
    if (recent >= MAX_DEATHS) return new Error(`${name} died ${recent} times within a minute, last: ${reason}`);
    const delayMs = firstDelayMs * 2 ** (recent - 1);
    log(`${name} died (${reason}); starting it again in ${delayMs} ms.`);
    await delay(delayMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return null;

    child = await start().catch((error: unknown) => {
      reason = messageOf(error);
      return null;
    });
    onChange(child);
    if (child !== null) log(`${name} is back (process ${child.pid}).`);
    if (stopping.aborted) {
      await child?.stop();
      return null;
    }
  }
}
