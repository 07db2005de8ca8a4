import type { RequestTrace } from '../domain/audit/audit-entry.ts';
import type { CallbackOutcome, JsonObject } from '../domain/capability/callback.ts';
import type { Ask, Command } from '../domain/transaction/command.ts';
import { partyOperations } from '../domain/transaction/lifecycle.ts';
import type { TransactionOffer, TransactionState } from '../domain/transaction/transaction.ts';
import type { Transition } from '../domain/transaction/transition.ts';

/** The names that clients, operators and workflows share. A name that a history holds is never changed. */

export const transactionWorkflowType = 'transaction';
export const invocationWorkflowType = 'invocation';
export const callbackTestWorkflowType = 'callback_test';

/** Readable in the Temporal UI, and the same for ever for the same transaction. */
export function transactionWorkflowId(transactionId: string): string {
  return `transaction/${transactionId}`;
}

export function callbackTestWorkflowId(deliveryId: string): string {
  return `callback-test/${deliveryId}`;
}

/**
 * Invocations and the calls of their sellers have a queue of their own: slow sellers take no slot from other work. One
 * queue for both, so that a worker gets the call together with the workflow's task.
 */
export function invocationTaskQueue(taskQueue: string): string {
  return `${taskQueue}-invocation`;
}

/** Each is an Update, whose caller waits for the record, and a Signal, which an operator sends. */
export const operationMessages = [...partyOperations, 'fail'] as const satisfies readonly Ask['operation'][];
export type OperationMessage = (typeof operationMessages)[number];

/** The Update that waits for the first row. */
export const createdUpdateName = 'created';

/** The Update that waits until the call of an invocation has an outcome. */
export const answeredUpdateName = 'answered';

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

/** What every workflow of a transaction is told by whoever starts it. */
interface StatusRest {
  /** See StatusAttribute. Absent in histories of before there was a rest: each status is told at once. */
  readonly status_rest_ms?: number;
}

/** Lists of the Temporal UI are behind by so much at most. */
export const statusRestMs = 3_000;

/** A workflow begins with an offer, or goes on from the row of one that was lost. */
export type TransactionStart = StatusRest &
  (
    | {
        readonly kind: 'offer';
        readonly offer: TransactionOffer;
        readonly idempotency: IdempotencyTag | null;
        readonly request?: RequestTrace | null;
      }
    | { readonly kind: 'resume'; readonly state: TransactionState }
  );

/** The call of an invocation, recorded with its first step. */
export interface InvocationCall {
  readonly callback_url: string;
  readonly input: JsonObject;
  readonly request_id: string;
  readonly request_hash: string | null;
}

export interface InvocationStart extends StatusRest {
  readonly offer: TransactionOffer;
  readonly callback_timeout_ms: number;
  readonly call: InvocationCall;
  readonly request: RequestTrace | null;
}

export interface OperationUpdate {
  readonly command: Command;
  readonly idempotency: IdempotencyTag | null;
  /** Absent in histories of before there was a trail. */
  readonly request?: RequestTrace | null;
}

/** What an operator writes as the input of a Signal: who they are, and the operation's own fields. */
export interface OperatorSignal {
  readonly operator?: string;
  readonly [field: string]: unknown;
}

/** One step to be recorded, and the request that it answers. */
export interface ApplyTransitionInput extends Transition {
  readonly idempotency: IdempotencyTag | null;
  readonly invocation: InvocationCall | null;
  readonly request: RequestTrace | null;
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

/** What came of the call of an invocation. */
export interface CallResult {
  readonly outcome: CallbackOutcome;
  /**
   * The transaction after it, where an outcome made a step of it; null where none was recorded. Its result_payload is left
   * out: it stays in the database.
   */
  readonly recorded: TransactionState | null;
}

/** A call that its owner tries out: it belongs to no transaction. */
export interface CallbackTest {
  readonly delivery_id: string;
  readonly capability_id: string;
  readonly owner_user_id: string;
  readonly callback_url: string;
  readonly input: JsonObject;
  readonly request_id: string;
  readonly timeout_ms: number;
}

/** The calls of sellers; each attempt is recorded before it is made and when it has ended. */
export interface CallbackActivities {
  /** Calls the seller of an invocation, and records what becomes of it. Fails where another attempt may help. */
  callSeller(input: { readonly state: TransactionState }): Promise<CallResult>;
  callForTest(test: CallbackTest): Promise<CallbackOutcome>;
}
