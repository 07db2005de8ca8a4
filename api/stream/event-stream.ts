import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

const heartbeatMs = 15_000;
/** A client that takes nothing for so long is gone; it can resume. */
const drainWithinMs = 30_000;

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

/** One open server-sent-event answer: frames, heartbeat, back pressure, an end. */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #closed: AbortSignal;
  readonly #heartbeat: NodeJS.Timeout;
  #pending = false;
  #wakeUp: (() => void) | null = null;

  constructor(reply: FastifyReply, stopping: AbortSignal) {
    reply.hijack();
    this.#reply = reply;
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    this.#closed = AbortSignal.any([stopping, gone.signal]);
    this.#closed.addEventListener('abort', () => this.wake(), { once: true });
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write(': open\n\n');
    this.#heartbeat = setInterval(() => reply.raw.write(': still here\n\n'), heartbeatMs);
  }

  get isOpen(): boolean {
    return !this.#closed.aborted && !this.#reply.raw.writableEnded;
  }

  /** Writes one frame and waits while the client is slow. Rejects when it takes nothing in time. */
  async send({ id, event, data }: Frame): Promise<void> {
    const head = [...(id === undefined ? [] : [`id: ${id}\n`]), ...(event === undefined ? [] : [`event: ${event}\n`])];
    const free = this.#reply.raw.write(`${head.join('')}data: ${JSON.stringify(data)}\n\n`);
    if (free || !this.isOpen) return;
    await once(this.#reply.raw, 'drain', {
      signal: AbortSignal.any([this.#closed, AbortSignal.timeout(drainWithinMs)]),
    });
  }

  /** Says that there may be something to send. */
  wake(): void {
    this.#pending = true;
    this.#wakeUp?.();
  }

  /** Waits for the next wake, or returns at once for one that came in the meantime. */
  async woken(): Promise<void> {
    if (!this.#pending && this.isOpen) {
      await new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
    }
    this.#wakeUp = null;
    this.#pending = false;
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#reply.raw.end();
  }
}
