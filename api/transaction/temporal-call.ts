import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import {
  ApplicationFailure,
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type Workflow,
} from '@temporalio/common';
import { isErrorName, MarketplaceError, type ErrorData } from '../../domain/errors.ts';
import type {
  TransactionOffer,
  TransactionRecord,
  TransactionState,
  TransactionStatus,
} from '../../domain/transaction/transaction.ts';
import {
  statusAttributeName,
  statusRestMs,
  transactionWorkflowId,
  type InvocationStart,
  type TransactionStart,
} from '../../workflows/messages.ts';

/** No answer by then means that the outcome is not known: 5030, and the same key finds it later. */
export const answerWithinMs = 15_000;

const statusAttribute = defineSearchAttributeKey(statusAttributeName, SearchAttributeType.KEYWORD);

export interface TemporalParts {
  readonly client: Client;
  readonly taskQueue: string;
}

/** How a workflow of a transaction is started, and which Update of it is waited for. */
export interface Start {
  readonly type: string;
  readonly taskQueue: string;
  readonly workflowId: string;
  readonly status: TransactionStatus;
  readonly summary: string;
  readonly argument: TransactionStart | InvocationStart;
  readonly update: { readonly name: string; readonly argument: string | null | TransactionState; readonly id: string };
  /** A transaction is made once. One whose workflow was lost may begin again, and one that was refused its first row. */
  readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY';
  readonly withinMs: number;
}

/** What every start of a transaction's workflow has in common. */
export function startOf({ id, transaction_type, price_ut, origin }: TransactionOffer, status: TransactionStatus) {
  const summary = `${origin} of ${transaction_type} for ${price_ut} UT`;
  return { workflowId: transactionWorkflowId(id), status, summary };
}

/** Starts the workflow, or finds the one that runs, and waits for an Update of it: one call, which cannot come apart. */
export async function startWith(client: Client, start: Start): Promise<TransactionRecord> {
  const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(start.type, {
    workflowId: start.workflowId,
    taskQueue: start.taskQueue,
    args: [{ ...start.argument, status_rest_ms: statusRestMs }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: start.reusePolicy,
    typedSearchAttributes: new TypedSearchAttributes([{ key: statusAttribute, value: start.status }]),
    staticSummary: start.summary,
  });
  const { update } = start;
  return await answered(client, start.withinMs, () =>
    client.workflow.executeUpdateWithStart<Workflow, TransactionRecord, [typeof update.argument]>(update.name, {
      args: [update.argument],
      updateId: update.id,
      startWorkflowOperation,
    }),
  );
}

/** Waits for the answer within the limit, and turns a failure into a refusal of the error table where it is one. */
export async function answered<T>(client: Client, withinMs: number, call: () => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + withinMs, call);
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError) return error;
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    const { type, details, message } = error.cause;
    // The workflow ended before it saw the operation: the row tells what is left to do.
    if (type === 'AcceptedUpdateCompletedWorkflow') return new WorkflowNotFoundError(message, '', undefined);
    if (!isErrorName(type)) return new MarketplaceError('internal_error', null, { cause: error });
    // The text of the table is the public one; that of a failure may name internals.
    const text = type === 'invalid_state' ? { text: message } : {};
    return new MarketplaceError(type, (details?.[0] ?? null) as ErrorData | null, { cause: error, ...text });
  }
  if (error instanceof WorkflowFailedError) return unavailable(error);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcServiceError(error)) return unavailable(error);
  return isGrpcServiceError((error as Error).cause) ? unavailable(error) : error;
}

function unavailable(cause: unknown): MarketplaceError {
  return new MarketplaceError('unavailable', { retry_after_sec: 2 }, { cause });
}
