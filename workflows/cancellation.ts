import { CancellationScope, log } from '@temporalio/workflow';

/**
 * Makes the workflow deaf to a cancellation requested in the Temporal UI: a transaction that holds money ends by its
 * operations and deadlines only. Called first, outside any scope. The root scope itself is told, because a
 * non-cancellable scope around every handler costs a tenth of the worker's time.
 */
export function ignoreCancellation(): void {
  Object.assign(CancellationScope.current(), {
    cancel: () => log.warn('cancellation requested and not followed; send the signal cancel, reject or fail'),
  });
}
