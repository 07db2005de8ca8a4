import type { FastifyReply } from 'fastify';
import { errorTable } from '../../domain/errors.ts';
import { toMarketplaceError } from '../error-handler.ts';

const heartbeatMs = 15_000;
/** A client that takes nothing for so long is gone; it can resume. */
const drainWithinMs = 30_000;
/** Whether the caller may still come in could not be asked for so long: then not. */
const unconfirmedForMs = 60_000;

/** Rejects with a refusal where the caller may not come in any more. */
export type Confirm = () => Promise<unknown>;

interface Upkeep {
  readonly confirm: Confirm;
  readonly recheckMs: number;
  readonly ended: () => void;
}

/** One open server-sent-event answer: frames, heartbeat, back pressure, an end. Opened by `OpenStreams`. */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #upkeep: Upkeep;
  #isOpen = true;
  #pending = false;
  #wakeUp: (() => void) | null = null;
  #drained: PromiseWithResolvers<void> | null = null;
  #fullSinceMs = 0;
  #writtenAtMs: number;
  #askedAtMs: number;
  #confirmedAtMs = performance.now();

  constructor(reply: FastifyReply, upkeep: Upkeep) {
    reply.hijack();
    this.#reply = reply;
    this.#upkeep = upkeep;
    // Streams that were opened together shall not all be due together for ever.
    this.#writtenAtMs = this.#confirmedAtMs - Math.random() * heartbeatMs;
    this.#askedAtMs = this.#confirmedAtMs - Math.random() * upkeep.recheckMs;
    reply.raw.on('close', () => this.#close());
    reply.raw.on('drain', () => this.#drain());
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write(': open\n\n');
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Writes a frame that has data only; waits as `write` does. */
  async send(data: unknown): Promise<void> {
    await this.write(`data: ${JSON.stringify(data)}\n\n`);
  }

  /** Writes the bytes of a frame and waits while the client is slow; a stream that ended takes them in silence. */
  async write(bytes: string | Buffer): Promise<void> {
    if (!this.#isOpen) return;
    this.#writtenAtMs = performance.now();
    if (this.#reply.raw.write(bytes)) return;
    this.#fullSinceMs = this.#writtenAtMs;
    this.#drained ??= Promise.withResolvers();
    await this.#drained.promise;
  }

  /** Says that there may be something to send. */
  wake(): void {
    this.#pending = true;
    this.#wakeUp?.();
  }

  /** Waits for the next wake or the end, or returns at once for a wake that came in the meantime. */
  async woken(): Promise<void> {
    if (!this.#pending && this.#isOpen) {
      await new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
    }
    this.#wakeUp = null;
    this.#pending = false;
  }

  /** Called now and then: keeps the connection alive, lets go of a client that is gone, or who may not come in any more. */
  lookAfter(nowMs: number): void {
    if (this.#drained === null) {
      if (nowMs - this.#writtenAtMs >= heartbeatMs) void this.write(': still here\n\n');
    } else if (nowMs - this.#fullSinceMs > drainWithinMs) {
      this.#reply.raw.destroy();
    }
    if (nowMs - this.#askedAtMs < this.#upkeep.recheckMs) return;
    this.#askedAtMs = nowMs;
    void this.#recheck(nowMs);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#close();
    const { raw } = this.#reply;
    raw.end();
    // Whoever does not take the rest holds the connection no longer than a slow client may.
    raw.setTimeout(drainWithinMs, () => raw.destroy());
  }

  async #recheck(nowMs: number): Promise<void> {
    try {
      await this.#upkeep.confirm();
      this.#confirmedAtMs = nowMs;
    } catch (error) {
      const { httpStatus } = errorTable[toMarketplaceError(error).errorName];
      if (httpStatus < 500 || nowMs - this.#confirmedAtMs > unconfirmedForMs) this.end();
    }
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#upkeep.ended();
    this.#drain();
    this.wake();
  }

  #drain(): void {
    this.#drained?.resolve();
    this.#drained = null;
  }
}
