import { randomUUIDv7 } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { TransactionRecord } from '../../domain/transaction/transaction.ts';
import {
  answeredUpdateName,
  callbackTestWorkflowId,
  callbackTestWorkflowType,
  invocationTaskQueue,
  invocationWorkflowType,
  type CallbackTest,
  type InvocationStart,
} from '../../workflows/messages.ts';
import { answered, answerWithinMs, startOf, startWith, type TemporalParts } from './temporal-call.ts';
import type { CallbackTry } from './transaction.workflows.ts';

/** See TransactionWorkflows.invoke. */
export async function invoke(parts: TemporalParts, start: InvocationStart): Promise<TransactionRecord> {
  const { offer, call, callback_timeout_ms } = start;
  return await startWith(parts.client, {
    // It is pending and frozen within its first step.
    ...startOf(offer, 'accepted'),
    type: invocationWorkflowType,
    taskQueue: invocationTaskQueue(parts.taskQueue),
    reusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    argument: start,
    // It only waits, so it need not be the same; and of one that was refused its first row, the server would repeat it.
    update: { name: answeredUpdateName, argument: call.request_hash, id: randomUUIDv7() },
    withinMs: callback_timeout_ms + answerWithinMs,
  });
}

/** See TransactionWorkflows.testCallback. */
export async function testCallback(
  { client, taskQueue }: TemporalParts,
  { deliveryId, capabilityId, ownerUserId, callbackUrl, timeoutMs, input, requestId }: CallbackTry,
): Promise<void> {
  const test: CallbackTest = {
    delivery_id: deliveryId,
    capability_id: capabilityId,
    owner_user_id: ownerUserId,
    callback_url: callbackUrl,
    input,
    request_id: requestId,
    timeout_ms: timeoutMs,
  };
  const run = () =>
    client.workflow.execute<Workflow>(callbackTestWorkflowType, {
      workflowId: callbackTestWorkflowId(deliveryId),
      taskQueue: invocationTaskQueue(taskQueue),
      args: [test],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowExecutionTimeout: timeoutMs + answerWithinMs,
      staticSummary: `test of capability ${capabilityId}`,
    });
  await answered(client, timeoutMs + answerWithinMs, run).catch((error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  });
}
