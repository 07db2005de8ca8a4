import { randomUUIDv7 } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { TransactionRecord } from '../../domain/transaction/transaction.ts';
import {
  catchUpUpdateName,
  createdUpdateName,
  transactionWorkflowId,
  transactionWorkflowType,
  type IdempotencyTag,
  type OperationUpdate,
  type TransactionStart,
} from '../../workflows/messages.ts';
import type { IdempotencyClaim } from '../deps.ts';
import { answered, answerWithinMs, startOf, startWith, type TemporalParts } from './temporal-call.ts';
import { invoke, testCallback } from './temporal-invocation.ts';
import type { TransactionWorkflows } from './transaction.workflows.ts';

/** Transactions over a Temporal client. */
export function temporalWorkflows(parts: TemporalParts): TransactionWorkflows {
  const { client } = parts;

  return {
    async create(offer, idempotency, request) {
      const requestHash = idempotency?.requestHash ?? null;
      const start: TransactionStart = { kind: 'offer', offer, idempotency: tagOf(idempotency, 201), request };
      return await startWith(client, {
        ...startOf(offer, 'pending'),
        type: transactionWorkflowType,
        taskQueue: parts.taskQueue,
        reusePolicy: 'REJECT_DUPLICATE',
        argument: start,
        // The same request again attaches to the same Update.
        update: {
          name: createdUpdateName,
          argument: requestHash,
          id: derivedId('created', offer.id, requestHash ?? ''),
        },
        withinMs: answerWithinMs,
      });
    },

    invoke: (start) => invoke(parts, start),
    testCallback: (given) => testCallback(parts, given),

    async operate(id, command, idempotency, request) {
      const handle = client.workflow.getHandle(transactionWorkflowId(id));
      const update: OperationUpdate = { command, idempotency: tagOf(idempotency, 200), request };
      try {
        return await answered(client, answerWithinMs, () =>
          handle.executeUpdate<TransactionRecord, [OperationUpdate]>(command.ask.operation, {
            args: [update],
            updateId:
              idempotency === null
                ? randomUUIDv7()
                : derivedId('update', id, idempotency.userId, idempotency.key, idempotency.requestHash),
          }),
        );
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },

    async resume(state) {
      const start: TransactionStart = { kind: 'resume', state };
      await startWith(client, {
        ...startOf(state, state.status),
        type: transactionWorkflowType,
        taskQueue: parts.taskQueue,
        argument: start,
        update: { name: catchUpUpdateName, argument: state, id: randomUUIDv7() },
        reusePolicy: 'ALLOW_DUPLICATE',
        withinMs: answerWithinMs,
      });
    },

    async ping(timeoutMs) {
      await client.connection.withDeadline(Date.now() + timeoutMs, () =>
        client.workflowService.describeNamespace({ namespace: client.options.namespace }),
      );
    },
  };
}

function tagOf(claim: IdempotencyClaim | null, httpStatus: number): IdempotencyTag | null {
  if (claim === null) return null;
  return { user_id: claim.userId, key: claim.key, request_hash: claim.requestHash, http_status: httpStatus };
}
