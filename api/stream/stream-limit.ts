import { MarketplaceError } from '../../domain/errors.ts';

const comeBackSec = 5;

/** How much of what stays open there is at this process, such as streams of every kind: of one user, and of all together. */
export class StreamLimit {
  readonly #perUser: number;
  readonly #total: number;
  readonly #open = new Map<string, number>();
  #count = 0;

  constructor({ perUser, total }: { readonly perUser: number; readonly total: number }) {
    this.#perUser = perUser;
    this.#total = total;
  }

  /** Throws `rate_limited` where the user has as many as they may, `unavailable` where the process has. */
  async within<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const mine = this.#open.get(userId) ?? 0;
    if (mine >= this.#perUser)
      throw new MarketplaceError('rate_limited', { retry_after_sec: comeBackSec, limit: this.#perUser });
    if (this.#count >= this.#total) throw new MarketplaceError('unavailable', { retry_after_sec: comeBackSec });
    this.#open.set(userId, mine + 1);
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      const left = (this.#open.get(userId) ?? 1) - 1;
      if (left > 0) this.#open.set(userId, left);
      else this.#open.delete(userId);
    }
  }
}
