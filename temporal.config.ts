/**
 * What this service needs of a Temporal server. One place: the API, the worker, the stack that starts a server, the
 * production compose file's set-up job and the tests all read it.
 */
export const taskQueues = {
  /** Transaction workflows and their ledger activities. */
  transaction: 'transaction',
} as const;

/** Custom search attributes that a namespace must have before the first workflow starts; all are of type Keyword. */
export const searchAttributes = ['TransactionStatus'] as const;

/** Retention of closed workflows, in days. Replays of stuck or disputed transactions need their histories. */
export const retentionDays = 30;

/** Dynamic configuration of the server that the service relies on. */
export const dynamicConfig = {
  /** The tests let days pass on a real server. Nothing turns it on unless a workflow is started with it. */
  'frontend.WorkflowTimeSkippingEnabled': true,
} as const;
