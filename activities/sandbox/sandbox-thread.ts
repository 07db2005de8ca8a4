import { Script } from 'node:vm';
import { ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { BaseVMWorkflow } from '@temporalio/worker/lib/workflow/vm-shared.js';

/**
 * Entry of the thread that runs workflow code: the SDK's own, but that one time limit holds for an activation. The SDK
 * gives each of its three or four calls into the sandbox a limit, and Node starts a thread for each limit. See
 * docs/decisions/0019.
 */
const here = globalThis as { limitedWork?: () => unknown };
const callWork = new Script('limitedWork()');

/** Runs what it does at once within the limit, code of the sandbox included; throws where it takes longer. */
function withinLimit<T>(work: () => T): T {
  here.limitedWork = work;
  if (limitMs === null) throw new Error('no workflow was made yet');
  return callWork.runInThisContext({ timeout: limitMs }) as T;
}

/** The SDK's own limit; null before the first workflow. */
let limitMs: number | null = null;

/** Takes the limit over: the calls of the workflows that are made from now on have none of their own. */
function takeLimit(creator: Creator): void {
  const { isolateExecutionTimeoutMs: given } = creator;
  if (typeof given !== 'number') throw new Error('the SDK keeps the time limit of the sandbox somewhere else now');
  limitMs = given;
  creator.isolateExecutionTimeoutMs = undefined;
}

function replace<T extends object, K extends keyof T>(prototype: T, name: K, by: (original: T[K]) => T[K]): void {
  prototype[name] = by(prototype[name]);
}

interface Creator {
  isolateExecutionTimeoutMs: number | undefined;
}

replace(ReusableVMWorkflowCreator.prototype, 'createWorkflow', (createWorkflow) => {
  return async function createWithin(this: ReusableVMWorkflowCreator, options) {
    if (limitMs === null) takeLimit(this as unknown as Creator);
    return await withinLimit(() => createWorkflow.call(this, options));
  };
});

interface Activated {
  readonly runId: string;
  readonly activator: { errorToFailure(error: unknown): object };
}

replace(BaseVMWorkflow.prototype, 'activate', (activate) => {
  return async function activateWithin(this: BaseVMWorkflow, activation) {
    try {
      return await withinLimit(() => activate.call(this, activation));
    } catch (error) {
      // As the SDK does with what a call throws: the task fails, and is tried again.
      const { runId, activator } = this as unknown as Activated;
      return { runId, failed: { failure: activator.errorToFailure(error) } };
    }
  };
});

replace(ReusableVMWorkflow.prototype, 'dispose', (dispose) => {
  return async function disposeWithin(this: ReusableVMWorkflow) {
    await withinLimit(() => dispose.call(this));
  };
});

// Listens from here on.
await import('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
