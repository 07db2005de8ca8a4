import type { FastifyReply } from 'fastify';
import type { Settings } from '../../domain/settings.ts';
import { EventStream, type Confirm } from './event-stream.ts';
import { StreamLimit } from './stream-limit.ts';

/** One timer for all streams; what it does to each is spread over many ticks. */
const tickMs = 250;

type StreamSettings = Pick<Settings, 'streamsPerUser' | 'streamsPerProcess' | 'streamRecheckMs'>;

/** The open streams of one process, of every kind: counted, kept alive and looked after by one timer, ended together. */
export class OpenStreams {
  readonly #limit: StreamLimit;
  readonly #recheckMs: number;
  readonly #stopping: AbortSignal;
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | null = null;

  constructor({ streamsPerUser, streamsPerProcess, streamRecheckMs }: StreamSettings, stopping: AbortSignal) {
    this.#limit = new StreamLimit({ perUser: streamsPerUser, total: streamsPerProcess });
    this.#recheckMs = streamRecheckMs;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#streams.forEach((stream) => stream.end()), { once: true });
  }

  /** How many are open. */
  get count(): number {
    return this.#streams.size;
  }

  /** Counts a stream while `work` is done; throws `rate_limited` or `unavailable` where there are enough. */
  async within(userId: string, work: () => Promise<void>): Promise<void> {
    await this.#limit.within(userId, work);
  }

  /** Takes a reply over as a stream, until `end` is called on it. `confirm`: whether its caller may still come in. */
  open(reply: FastifyReply, confirm: Confirm): EventStream {
    const stream = new EventStream(reply, {
      confirm,
      recheckMs: this.#recheckMs,
      ended: () => this.#remove(stream),
    });
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    // Nothing tells of a client any more that left before.
    if (this.#stopping.aborted || reply.raw.destroyed) stream.end();
    return stream;
  }

  #tick(): void {
    const nowMs = performance.now();
    for (const stream of this.#streams) stream.lookAfter(nowMs);
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
