import { MarketplaceError, NoAnswerError } from './error.ts';
import { MessageTooLongError, readMessages, type ServerMessage } from './event-source.ts';
import { backoffMs, pause, type RetryNotice, type RetryPolicy } from './retry.ts';
import type { Headers } from './transport.ts';

/** The service writes a comment every 15 s: a connection that is silent for so long is dead. */
const defaultIdleTimeoutMs = 45_000;

export interface FollowOptions {
  /** Goes on after this event, of which an earlier stream told the id. */
  readonly lastEventId?: string | undefined;
  /** Ends the stream: the iteration rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long a connection may be silent before another is made. */
  readonly idleTimeoutMs?: number | undefined;
}

/** An event of a stream, with the id from which another stream would go on. */
export interface StreamEvent<D> {
  readonly id: string;
  readonly type: string;
  readonly data: D;
}

export interface Source<D> {
  readonly name: string;
  readonly open: (headers: Headers, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** True for an event after which there is no other. */
  readonly isLast: (data: D) => boolean;
  /** Asked when a connection ended without an event: whether there is nothing more to come. */
  readonly hasEnded: () => Promise<boolean>;
}

/**
 * The events of a source, each once and in order. A connection that breaks is made again after the last event seen, as often
 * as it takes; `retry` bounds for how long, and how often in a row, making one may fail.
 */
export async function* follow<D>(
  source: Source<D>,
  { lastEventId = '', signal, idleTimeoutMs = defaultIdleTimeoutMs }: FollowOptions,
  retry: RetryPolicy,
  onRetry: ((notice: RetryNotice) => void) | undefined,
): AsyncGenerator<StreamEvent<D>> {
  const patience = new Patience(source.name, retry);
  let lastId = lastEventId;
  let hasEnded = false;
  for (;;) {
    signal?.throwIfAborted();
    const connection = new Connection(source.open, idleTimeoutMs, signal);
    let broken: unknown = null;
    let isSilent = true;
    try {
      for await (const message of connection.messages(lastId)) {
        isSilent = false;
        const data = message.data === null ? null : (JSON.parse(message.data) as D);
        lastId = message.id ?? lastId;
        if (data === null) continue;
        yield { id: lastId, type: message.type, data };
        if (source.isLast(data)) return;
      }
      // Asked before the last connection and not after it, so that nothing falls between the two.
      if (isSilent && hasEnded) return;
      hasEnded = isSilent && (await source.hasEnded());
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
      broken = error;
    } finally {
      connection.close();
    }
    const notice = patience.after(broken, connection.isOpen, isSilent);
    if (broken !== null) onRetry?.(notice);
    await pause(notice.waitMs, signal);
  }
}

/** What no other connection changes: a refusal, and an event that is none or has no end. */
function isFinal(error: unknown): boolean {
  if (error instanceof MarketplaceError) return error.httpStatus < 500 && error.httpStatus !== 429;
  return error instanceof SyntaxError || error instanceof MessageTooLongError;
}

/** Counts connections that brought nothing. */
class Patience {
  readonly #name: string;
  readonly #retry: RetryPolicy;
  #failures = 0;
  #sinceMs = 0;

  constructor(name: string, retry: RetryPolicy) {
    this.#name = name;
    this.#retry = retry;
  }

  /** How long to wait for the next connection. Throws where too many could not be made. */
  after(broken: unknown, wasOpen: boolean, isSilent: boolean): RetryNotice {
    if (!isSilent) this.#failures = 0;
    if (wasOpen || this.#failures === 0) this.#sinceMs = performance.now();
    this.#failures += 1;
    const error = errorOf(this.#name, broken);
    const waitMs = backoffMs(this.#failures, error instanceof MarketplaceError ? error.retryAfterMs : null);
    const isLate = performance.now() - this.#sinceMs + waitMs > this.#retry.forMs;
    if (!wasOpen && (isLate || this.#failures >= this.#retry.attemptsMax)) throw error;
    return { call: this.#name, attempts: this.#failures, error, waitMs };
  }
}

/** One connection, which is given up when it is silent for too long. */
class Connection {
  isOpen = false;
  readonly #open: Source<unknown>['open'];
  readonly #idleTimeoutMs: number;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(open: Source<unknown>['open'], idleTimeoutMs: number, signal: AbortSignal | undefined) {
    this.#open = open;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#signal = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
  }

  async *messages(lastId: string): AsyncGenerator<ServerMessage> {
    this.#hear();
    const resume = lastId === '' ? {} : { 'last-event-id': lastId };
    const stream = await this.#open({ accept: 'text/event-stream', ...resume }, this.#signal);
    this.isOpen = true;
    for await (const message of readMessages(stream, () => this.#hear())) {
      // Nothing is read while the reader is at work on this one: the silence is its own.
      clearTimeout(this.#idle);
      yield message;
      this.#hear();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#closing.abort();
  }

  #hear(): void {
    clearTimeout(this.#idle);
    const silent = () => this.#closing.abort(new Error(`silent for ${this.#idleTimeoutMs / 1_000} s`));
    this.#idle = setTimeout(silent, this.#idleTimeoutMs);
  }
}

function errorOf(name: string, cause: unknown): MarketplaceError | NoAnswerError {
  if (cause instanceof MarketplaceError || cause instanceof NoAnswerError) return cause;
  const reason = cause instanceof Error ? cause.message : 'the stream ended';
  return new NoAnswerError(name, reason, null, cause);
}
