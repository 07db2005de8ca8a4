import { hostname } from 'node:os';
import proto from '@temporalio/proto';
import { parseSettings } from '../../domain/settings.ts';
import { taskQueues, temporalConnectionOptions } from '../../temporal.config.ts';
import { invocationTaskQueue } from '../../workflows/messages.ts';
import { webhookTaskQueue } from '../../workflows/webhook-messages.ts';
import { withTemporal } from '../stack/temporal-connection.ts';

/**
 * Health check of the worker's container: exit code 0 if Temporal saw a worker of this very host ask for work of
 * each queue within the limit. A worker that hangs stops asking, which no check of its process would show.
 */
const LONGEST_SILENCE_MS = 90_000;
const CALL_TIMEOUT_MS = 8_000;

const settings = parseSettings(process.env);
const { address, ...credentials } = await temporalConnectionOptions(settings);
const { transaction } = taskQueues;
const queues = [transaction, invocationTaskQueue(transaction), webhookTaskQueue(transaction)];
const described = await withTemporal(
  address,
  credentials,
  async (connection) =>
    await Promise.all(
      queues.map((name) =>
        connection.workflowService.describeTaskQueue({
          namespace: settings.temporalNamespace,
          taskQueue: { name },
          taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        }),
      ),
    ),
  CALL_TIMEOUT_MS,
);
for (const [index, { pollers }] of described.entries()) {
  // The SDK's identity of a worker is `<pid>@<host>`.
  const own = pollers.filter((poller) => poller.identity?.endsWith(`@${hostname()}`) === true);
  const sinceMs = Math.min(...own.map((poller) => Date.now() - Number(poller.lastAccessTime?.seconds ?? 0) * 1_000));
  if (sinceMs > LONGEST_SILENCE_MS) {
    const silence = `in the last ${LONGEST_SILENCE_MS / 1_000} s`;
    console.error(`No worker of ${hostname()} asked for work of ${queues[index] ?? ''} ${silence}.`);
    process.exitCode = 1;
  }
}
