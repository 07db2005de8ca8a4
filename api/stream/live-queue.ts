import type { SettledEvent } from '../../domain/store/event-tail.ts';

/** What waits in memory for one client that is slow. */
const queuedAtMost = 64;

/** The events that come while a client takes others: so many at most, else none until it was caught up. */
export class LiveQueue {
  readonly #isWanted: (event: SettledEvent) => boolean;
  readonly #wake: () => void;
  #events: SettledEvent[] = [];
  #isBehind = true;

  constructor(isWanted: (event: SettledEvent) => boolean, wake: () => void) {
    this.#isWanted = isWanted;
    this.#wake = wake;
  }

  /** True where the client is to be caught up: at the start, and after too many events. From here on they are kept. */
  restart(): boolean {
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    return wasBehind;
  }

  push(event: SettledEvent): void {
    if (this.#isBehind || !this.#isWanted(event)) return;
    if (this.#events.length < queuedAtMost) {
      this.#events.push(event);
    } else {
      this.#events = [];
      this.#isBehind = true;
    }
    this.#wake();
  }

  take(): readonly SettledEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }
}
