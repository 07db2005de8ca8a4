import type { MikroORM } from '@mikro-orm/postgresql';
import { fileURLToPath } from 'node:url';
import type { NativeConnection, Worker, WorkflowBundleOption } from '@temporalio/worker';
import { invocationTaskQueue } from '../workflows/messages.ts';
import { webhookTaskQueue } from '../workflows/webhook-messages.ts';
import { callbackActivities, type CallbackParts } from './callback.activities.ts';
import { SandboxWorker } from './sandbox/sandbox-worker.ts';
import { transactionActivities } from './transaction.activities.ts';
import { startWebhookRelay } from './webhook/relay-start.ts';
import { webhookActivities, type WebhookParts } from './webhook.activities.ts';

export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly orm: MikroORM;
  /** Made by `bundleWorkflowCode` of `workflowsPath`. */
  readonly workflowBundle: WorkflowBundleOption;
}

/** A worker for transactions; run it with `worker.run()` and end it with `worker.shutdown()`. */
export async function createTransactionWorker(parts: WorkerParts): Promise<Worker> {
  return await SandboxWorker.create({
    ...workflowOptions(parts),
    taskQueue: parts.taskQueue,
    activities: transactionActivities(parts.orm),
    // All its activities are local; polling for others would only keep the server busy.
    enableNonLocalActivities: false,
  });
}

/**
 * A worker for invocations and the calls of their sellers, on the task queue beside that of the other transactions. A call
 * waits rather than works, so it carries many at once; how many one host gets of them is the seller client's to bound.
 */
export async function createInvocationWorker(
  parts: WorkerParts & CallbackParts & { readonly concurrency: number },
): Promise<Worker> {
  return await SandboxWorker.create({
    ...workflowOptions(parts),
    taskQueue: invocationTaskQueue(parts.taskQueue),
    activities: { ...transactionActivities(parts.orm), ...callbackActivities(parts) },
    maxConcurrentActivityTaskExecutions: parts.concurrency,
    // Otherwise a heartbeat is held back for most of its timeout.
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
  });
}

/**
 * A worker for webhooks: the relay of events and the deliveries, on a task queue of their own. Makes sure that the relay
 * runs, whoever carries it.
 */
export async function createWebhookWorker(
  parts: WorkerParts & WebhookParts & { readonly concurrency: number },
): Promise<Worker> {
  const worker = await SandboxWorker.create({
    ...workflowOptions(parts),
    taskQueue: webhookTaskQueue(parts.taskQueue),
    activities: webhookActivities(parts),
    // One more for the relay, which holds its place for minutes.
    maxConcurrentActivityTaskExecutions: parts.concurrency + 1,
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
    // The relay ends at once, so that another worker takes it over; attempts end by themselves within their time.
    shutdownGraceTime: 0,
  });
  await startWebhookRelay(parts.temporal, parts.taskQueue);
  return worker;
}

function workflowOptions({ connection, namespace, workflowBundle }: WorkerParts) {
  return {
    connection,
    namespace,
    workflowBundle,
    maxCachedWorkflows: 2_000,
    // So long the tasks of a worker that died wait for it before another one gets them.
    stickyQueueScheduleToStartTimeout: '5 seconds',
    maxConcurrentLocalActivityExecutions: 50,
    shutdownGraceTime: '10 seconds',
  } as const;
}

export const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
