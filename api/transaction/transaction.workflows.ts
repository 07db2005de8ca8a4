import type { RequestTrace } from '../../domain/audit/audit-entry.ts';
import type { Command } from '../../domain/transaction/command.ts';
import type { TransactionOffer, TransactionRecord, TransactionState } from '../../domain/transaction/transaction.ts';
import type { InvocationStart } from '../../workflows/messages.ts';
import type { JsonObject } from '../../domain/capability/callback.ts';
import type { IdempotencyClaim } from '../deps.ts';

/** The API's side of the transaction workflows; made once a process over a Temporal client. */
export interface TransactionWorkflows {
  /** Starts the workflow and waits for its first row; the same offer again finds the same transaction. */
  create(
    offer: TransactionOffer,
    idempotency: IdempotencyClaim | null,
    request: RequestTrace | null,
  ): Promise<TransactionRecord>;
  /**
   * Starts an invocation, or finds the one that runs, and waits until the seller's call has an outcome. The record has no
   * result_payload: it lies in the row.
   */
  invoke(start: InvocationStart): Promise<TransactionRecord>;
  /** Calls a callback address once for its owner; what came of it is recorded as the delivery. */
  testCallback(test: CallbackTry): Promise<void>;
  /** Sends one operation and waits for what it did; null when no such workflow runs (any more). */
  operate(
    id: string,
    command: Command,
    idempotency: IdempotencyClaim | null,
    request: RequestTrace | null,
  ): Promise<TransactionRecord | null>;
  /** Starts a lost workflow again from its row, or tells a running one of a row that is ahead of it. */
  resume(state: TransactionState): Promise<void>;
  /** Rejects when Temporal cannot be reached within the limit. */
  ping(timeoutMs: number): Promise<void>;
}

export interface CallbackTry {
  readonly deliveryId: string;
  readonly capabilityId: string;
  readonly ownerUserId: string;
  readonly callbackUrl: string;
  readonly timeoutMs: number;
  readonly input: JsonObject;
  readonly requestId: string;
}
