import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const requestLimitMs = 30_000;
const pauseMs = 150;

export type Credentials = Readonly<Record<string, string>>;

/** An answer of the service; a connection that broke has status 0. */
export interface Answer {
  readonly status: number;
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
}

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly as: Credentials;
  readonly key?: string;
  readonly body?: unknown;
  /** How long the answer to one try may take; half a minute where it is not said. */
  readonly limitMs?: number;
}

const envelope = z.object({ code: z.int(), data: z.record(z.string(), z.unknown()).nullable() });

/** One request, whatever comes of it. */
export async function send(
  base: string,
  { method, path, as, key, body, limitMs = requestLimitMs }: Ask,
): Promise<Answer> {
  const headers = {
    ...as,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  try {
    const response = await fetch(base + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    });
    const text = await response.text();
    const { code, data } = envelope.parse(JSON.parse(text));
    return { status: response.status, code, data: data ?? {}, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    // What `fetch` throws where the connection could not be made or broke; all else is no fault of the network.
    if (error instanceof TypeError) return { status: 0, code: -1, data: {}, retryAfter: null };
    throw error;
  }
}

/** The final answer to a request, and the answers before it. */
export interface Outcome {
  readonly answer: Answer;
  readonly before: readonly Answer[];
}

/**
 * What a careful client does: the same request with the same key, until there is an answer. Only a broken connection,
 * 5030 and "still running" may be asked again; both refusals say when.
 */
export async function insist(base: () => string, ask: Ask, limitMs = 60_000): Promise<Outcome> {
  const before: Answer[] = [];
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const answer = await send(base(), ask);
    if (!isPassing(answer)) return { answer, before };
    before.push(answer);
    if (performance.now() > deadlineMs) {
      throw new Error(`${ask.path}: no answer within ${limitMs} ms, last ${JSON.stringify(answer)}`);
    }
    // The pause between two tries of a client; shorter than Retry-After says, so that faults are met more often.
    await delay(pauseMs);
  }
}

function isPassing({ status, code, data, retryAfter }: Answer): boolean {
  if (status === 0) return true;
  if (code === 5030 && retryAfter === null) throw new Error(`5030 without Retry-After: ${JSON.stringify(data)}`);
  return code === 5030 || code === 4091;
}
