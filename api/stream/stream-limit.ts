import { MarketplaceError } from '../../domain/errors.ts';

/** How many streams a user has open at this process. */
export class StreamLimit {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws rate_limited where the user has as many as they may. */
  async within(userId: string, work: () => Promise<void>): Promise<void> {
    const mine = this.#open.get(userId) ?? 0;
    if (mine >= this.#max) throw new MarketplaceError('rate_limited', { retry_after_sec: 5, limit: this.#max });
    this.#open.set(userId, mine + 1);
    try {
      await work();
    } finally {
      const left = (this.#open.get(userId) ?? 1) - 1;
      if (left > 0) this.#open.set(userId, left);
      else this.#open.delete(userId);
    }
  }
}
