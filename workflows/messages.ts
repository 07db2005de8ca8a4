import type { Ask, Command } from '../domain/transaction/command.ts';
import { partyOperations } from '../domain/transaction/lifecycle.ts';
import type { TransactionOffer, TransactionState } from '../domain/transaction/transaction.ts';
import type { Transition } from '../domain/transaction/transition.ts';

/** The names that clients, operators and workflows share. A name that a history holds is never changed. */

export const transactionWorkflowType = 'transaction';

/** Readable in the Temporal UI, and the same for ever for the same transaction. */
export function transactionWorkflowId(transactionId: string): string {
  return `transaction/${transactionId}`;
}

/** Each is an Update, whose caller waits for the record, and a Signal, which an operator sends. */
export const operationMessages = [...partyOperations, 'fail'] as const satisfies readonly Ask['operation'][];
export type OperationMessage = (typeof operationMessages)[number];

/** The Update that waits for the first row. */
export const createdUpdateName = 'created';

/** The Update that tells a workflow of a row that is ahead of it. */
export const catchUpUpdateName = 'catch_up';

/** The query that answers the whole state, for support. */
export const stateQueryName = 'state';

/** The search attribute that holds the present status. */
export const statusAttributeName = 'TransactionStatus';

/** Which request an answer belongs to; recorded with the change, so that a retry finds it. */
export interface IdempotencyTag {
  readonly user_id: string;
  readonly key: string;
  readonly request_hash: string;
  readonly http_status: number;
}

/** A workflow begins with an offer, or goes on from the row of one that was lost. */
export type TransactionStart =
  | { readonly kind: 'offer'; readonly offer: TransactionOffer; readonly idempotency: IdempotencyTag | null }
  | { readonly kind: 'resume'; readonly state: TransactionState };

export interface OperationUpdate {
  readonly command: Command;
  readonly idempotency: IdempotencyTag | null;
}

/** What an operator writes as the input of a Signal: who they are, and the operation's own fields. */
export interface OperatorSignal {
  readonly operator?: string;
  readonly [field: string]: unknown;
}

/** One step to be recorded, and the request that it answers. */
export interface ApplyTransitionInput extends Transition {
  readonly idempotency: IdempotencyTag | null;
}

/**
 * The row was ahead of the workflow: the server forgot an Update whose step was recorded already. `sameStep` when it was
 * this very step, by the same actor.
 */
export interface RecordedInstead {
  readonly row: TransactionState;
  readonly sameStep: boolean;
}

/** What the transaction workflow asks of the world. */
export interface TransactionActivities {
  /**
   * Records one step: row, money, events and the stored answer, all or nothing, once. Answers null where it stands as
   * decided, else what is recorded instead.
   */
  applyTransition(input: ApplyTransitionInput): Promise<RecordedInstead | null>;
}
