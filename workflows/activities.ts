import { proxyLocalActivities } from '@temporalio/workflow';
import type { TransactionActivities } from './messages.ts';

/**
 * Ledger work takes milliseconds, so it runs inside the workflow task. While the database is down it is tried again,
 * for as long as it takes: money that was decided on is never forgotten. Refusals are not retried.
 */
export const { applyTransition } = proxyLocalActivities<TransactionActivities>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '50 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});
