import { Worker as Thread } from 'node:worker_threads';
import { Worker } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm.js';

const threadFile = new URL('sandbox-thread.ts', import.meta.url);

/** A worker whose workflows run in threads of our own entry; everything else is the SDK's. */
export class SandboxWorker extends Worker {
  protected static override async createWorkflowCreator(
    ...[workflowBundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): Promise<ThreadedVMWorkflowCreator> {
    const { isolateExecutionTimeoutMs, activities, workflowThreadPoolSize: length } = options;
    const clients = Array.from({ length }, () => new WorkerThreadClient(new Thread(threadFile), logger));
    const init = {
      type: 'init',
      workflowBundle,
      isolateExecutionTimeoutMs,
      reuseV8Context: true,
      registeredActivityNames: new Set(activities.keys()),
      hasPatchActivationCallback: false,
    } as const;
    await Promise.all(clients.map((client) => client.send(init)));
    return new ThreadedVMWorkflowCreator(clients);
  }
}
