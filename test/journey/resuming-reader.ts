import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Credentials } from './caller.ts';

const pauseMs = 50;

/** A client of a stream that comes back with the last id whenever its connection breaks. */
export interface ResumingReader {
  readonly ids: readonly string[];
  /** How often its connection broke, or was refused. */
  readonly breaks: number;
  /** Comes back when the service has ended the stream by itself. */
  readonly ended: Promise<void>;
  hasRead(count: number): Promise<void>;
}

/** `base` is asked for before each try. It reads until the stream ends or `cleanup` is disposed of. */
export function resumingReader(
  base: () => string,
  path: string,
  as: Credentials,
  cleanup: AsyncDisposableStack,
): ResumingReader {
  const stop = new AbortController();
  const ids: string[] = [];
  let breaks = 0;
  let lastId: string | undefined;
  const readOnce = async () => {
    const response = await fetch(base() + path, {
      headers: { ...as, accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
      signal: stop.signal,
    });
    if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`);
    const parser = createParser({
      onEvent: ({ id }) => {
        ids.push(id ?? '');
        lastId = id;
      },
    });
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
  };
  const readOn = async () => {
    while (!stop.signal.aborted) {
      try {
        await readOnce();
        return;
      } catch {
        breaks += 1;
        // The pause between two tries of a client.
        await delay(pauseMs);
      }
    }
  };
  const ended = readOn();
  cleanup.defer(async () => {
    stop.abort();
    await ended;
  });
  return {
    ids,
    get breaks() {
      return breaks;
    },
    ended,
    hasRead: async (count) =>
      await pollUntil(`${count} events of ${path}`, { timeoutMs: 20_000, everyMs: 10 }, async () => {
        if (ids.length < count) throw new Error(`${ids.length} so far`);
      }),
  };
}
