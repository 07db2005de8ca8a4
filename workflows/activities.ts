import { proxyActivities, proxyLocalActivities, type ActivityInterfaceFor } from '@temporalio/workflow';
import type { CallbackActivities, TransactionActivities } from './messages.ts';

/**
 * Ledger work takes milliseconds, so it runs inside the workflow task. While the database is down it is tried again,
 * for as long as it takes: money that was decided on is never forgotten. Refusals are not retried.
 */
export const { applyTransition } = proxyLocalActivities<TransactionActivities>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '50 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});

/** What an attempt may take beyond the seller's time, to record what came of it. */
const recordingMs = 2_000;

/**
 * Calls of sellers, over all attempts within the time that is left. A worker that dies is noticed by its missing
 * heartbeats.
 */
export function callbackCall(leftMs: number, maximumAttempts?: number): ActivityInterfaceFor<CallbackActivities> {
  return proxyActivities<CallbackActivities>({
    scheduleToCloseTimeout: Math.max(leftMs, 0) + recordingMs,
    heartbeatTimeout: '5 seconds',
    retry: {
      initialInterval: '250 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '3 seconds',
      ...(maximumAttempts === undefined ? {} : { maximumAttempts }),
    },
  });
}
