import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { isTerminal, type TransactionStatus } from '../domain/transaction/transaction.ts';
import { statusAttributeName } from './messages.ts';

const key = defineSearchAttributeKey(statusAttributeName, SearchAttributeType.KEYWORD);

/**
 * The status in the lists of the Temporal UI. Each write costs the server dearly, so a transaction that moves
 * on within `restMs` tells where it has come to, not each step on the way: a status after a rest and the last one of
 * all at once, what follows sooner together when the rest is over.
 */
export class StatusAttribute {
  readonly #restMs: number;
  #present: TransactionStatus | null = null;
  #told: { readonly status: TransactionStatus; readonly atMs: number } | null = null;
  #isDue = false;

  constructor(restMs: number) {
    this.#restMs = restMs;
  }

  /** The first status was told by whoever started the workflow. */
  show(status: TransactionStatus): void {
    this.#present = status;
    if (this.#told === null) this.#told = { status, atMs: Date.now() };
    const leftMs = this.#told.atMs + this.#restMs - Date.now();
    if (leftMs <= 0 || isTerminal(status)) this.#tell();
    else if (status !== this.#told.status && !this.#isDue) void this.#tellAfter(leftMs);
  }

  async #tellAfter(waitMs: number): Promise<void> {
    this.#isDue = true;
    await sleep(waitMs, { summary: 'status for lists' });
    this.#isDue = false;
    this.#tell();
  }

  #tell(): void {
    if (this.#present === null || this.#present === this.#told?.status) return;
    upsertSearchAttributes([{ key, value: this.#present }]);
    this.#told = { status: this.#present, atMs: Date.now() };
  }
}
