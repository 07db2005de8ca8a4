import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
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
import { v7 } from 'uuid';
import { isErrorName, MarketplaceError, type ErrorData } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { TransactionRecord, TransactionState } from '../../domain/transaction/transaction.ts';
import {
  catchUpUpdateName,
  createdUpdateName,
  statusAttributeName,
  transactionWorkflowId,
  transactionWorkflowType,
  type IdempotencyTag,
  type OperationUpdate,
  type TransactionStart,
} from '../../workflows/messages.ts';
import type { IdempotencyClaim } from '../deps.ts';
import type { TransactionWorkflows } from './transaction.workflows.ts';

/** No answer by then means that the outcome is not known: 5030, and the same key finds it later. */
const answerWithinMs = 15_000;

const statusAttribute = defineSearchAttributeKey(statusAttributeName, SearchAttributeType.KEYWORD);

interface Parts {
  readonly client: Client;
  readonly taskQueue: string;
}

/** Transactions over a Temporal client. */
export function temporalWorkflows(parts: Parts): TransactionWorkflows {
  const { client } = parts;

  return {
    async create(offer, idempotency) {
      const requestHash = idempotency?.requestHash ?? null;
      const updateId = derivedId('created', offer.id, requestHash ?? '');
      const start: TransactionStart = { kind: 'offer', offer, idempotency: tagOf(idempotency, 201) };
      return await startWith(parts, start, createdUpdateName, requestHash, updateId);
    },

    async operate(id, command, idempotency) {
      const handle = client.workflow.getHandle(transactionWorkflowId(id));
      const update: OperationUpdate = { command, idempotency: tagOf(idempotency, 200) };
      try {
        return await answered(client, () =>
          handle.executeUpdate<TransactionRecord, [OperationUpdate]>(command.ask.operation, {
            args: [update],
            updateId: updateIdOf(id, idempotency),
          }),
        );
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },

    async resume(state) {
      await startWith(parts, { kind: 'resume', state }, catchUpUpdateName, state, v7());
    },

    async ping(timeoutMs) {
      await client.connection.withDeadline(Date.now() + timeoutMs, () =>
        client.workflowService.describeNamespace({ namespace: client.options.namespace }),
      );
    },
  };
}

/** Starts the workflow, or finds the one that runs, and waits for an Update of it: one call, which cannot come apart. */
async function startWith(
  { client, taskQueue }: Parts,
  start: TransactionStart,
  updateName: string,
  argument: string | null | TransactionState,
  updateId: string,
): Promise<TransactionRecord> {
  const { id, status, price_ut, transaction_type } =
    start.kind === 'resume' ? start.state : { ...start.offer, status: 'pending' };
  const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(transactionWorkflowType, {
    workflowId: transactionWorkflowId(id),
    taskQueue,
    args: [start],
    workflowIdConflictPolicy: 'USE_EXISTING',
    // A transaction is made once; one whose workflow was lost may begin again.
    workflowIdReusePolicy: start.kind === 'resume' ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
    typedSearchAttributes: new TypedSearchAttributes([{ key: statusAttribute, value: status }]),
    staticSummary: `${transaction_type} for ${price_ut} UT`,
  });
  return await answered(client, () =>
    client.workflow.executeUpdateWithStart<Workflow, TransactionRecord, [typeof argument]>(updateName, {
      args: [argument],
      updateId,
      startWorkflowOperation,
    }),
  );
}

/** The same request again attaches to the same Update, so it is carried out once whatever happened in between. */
function updateIdOf(id: string, claim: IdempotencyClaim | null): string {
  return claim === null ? v7() : derivedId('update', id, claim.userId, claim.key, claim.requestHash);
}

function tagOf(claim: IdempotencyClaim | null, httpStatus: number): IdempotencyTag | null {
  if (claim === null) return null;
  return { user_id: claim.userId, key: claim.key, request_hash: claim.requestHash, http_status: httpStatus };
}

/** Waits for the answer within the limit, and turns a failure into a refusal of the error table where it is one. */
async function answered<T>(client: Client, call: () => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + answerWithinMs, call);
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
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcServiceError(error)) return unavailable(error);
  return isGrpcServiceError((error as Error).cause) ? unavailable(error) : error;
}

function unavailable(cause: unknown): MarketplaceError {
  return new MarketplaceError('unavailable', { retry_after_sec: 2 }, { cause });
}
