import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  webhookRelayWorkflowId,
  webhookRelayWorkflowType,
  webhookTaskQueue,
} from '../../workflows/webhook-messages.ts';

const startWithinMs = 20_000;
const defaultEveryMs = 60_000;

/** Makes sure that the relay runs, whoever carries it. */
export async function startWebhookRelay(temporal: Client, taskQueue: string): Promise<void> {
  await temporal.withDeadline(Date.now() + startWithinMs, () =>
    temporal.workflow.start(webhookRelayWorkflowType, {
      workflowId: webhookRelayWorkflowId(taskQueue),
      taskQueue: webhookTaskQueue(taskQueue),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    }),
  );
}

/** The same again and again, until the signal: somebody may end the relay by a mistake, and nobody would be told of anything. */
export async function keepWebhookRelay(
  temporal: Client,
  taskQueue: string,
  stop: AbortSignal,
  everyMs = defaultEveryMs,
): Promise<void> {
  while (!stop.aborted) {
    // Whether it still runs can only be asked.
    await delay(everyMs, undefined, { signal: stop }).catch(() => undefined);
    // Temporal may be away for a while; then the next time.
    if (!stop.aborted) await startWebhookRelay(temporal, taskQueue).catch(() => undefined);
  }
}
