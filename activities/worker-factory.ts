import type { MikroORM } from '@mikro-orm/postgresql';
import { fileURLToPath } from 'node:url';
import { Worker, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import { callbackTaskQueue } from '../workflows/messages.ts';
import { callbackActivities, type CallbackParts } from './callback.activities.ts';
import { transactionActivities } from './transaction.activities.ts';

export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly orm: MikroORM;
  /** Made before by `bundleWorkflowCode`; bundled now when absent. */
  readonly workflowBundle?: WorkflowBundleOption;
}

/** A worker for transactions; run it with `worker.run()` and end it with `worker.shutdown()`. */
export async function createTransactionWorker(parts: WorkerParts): Promise<Worker> {
  const workflows = parts.workflowBundle === undefined ? { workflowsPath } : { workflowBundle: parts.workflowBundle };
  return await Worker.create({
    ...workflows,
    connection: parts.connection,
    namespace: parts.namespace,
    taskQueue: parts.taskQueue,
    activities: transactionActivities(parts.orm),
    maxCachedWorkflows: 2_000,
    // So long the tasks of a worker that died wait for it before another one gets them.
    stickyQueueScheduleToStartTimeout: '5 seconds',
    maxConcurrentLocalActivityExecutions: 50,
    // All its activities are local; polling for others would only keep the server busy.
    enableNonLocalActivities: false,
    shutdownGraceTime: '10 seconds',
  });
}

/**
 * A worker for the calls of sellers, on the task queue beside that of the transactions. It waits rather than works, so it
 * carries many calls at once; how many one host gets of them is the seller client's to bound.
 */
export async function createCallbackWorker(
  parts: Omit<WorkerParts, 'workflowBundle'> & CallbackParts & { readonly concurrency: number },
): Promise<Worker> {
  return await Worker.create({
    connection: parts.connection,
    namespace: parts.namespace,
    taskQueue: callbackTaskQueue(parts.taskQueue),
    activities: callbackActivities(parts),
    maxConcurrentActivityTaskExecutions: parts.concurrency,
    // Otherwise a heartbeat is held back for most of its timeout.
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
    shutdownGraceTime: '10 seconds',
  });
}

export const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
