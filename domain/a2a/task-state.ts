import type { TransactionStatus } from '../transaction/transaction.ts';

/** The words of 0.3; 1.0 writes them as TASK_STATE_…, v0.1 lacks the last. */
export const taskStates = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
] as const;
export type TaskState = (typeof taskStates)[number];

interface States {
  /** Of 1.0 and 0.3. */
  readonly state: TaskState;
  /** Of v0.1, where a task waits for its buyer without saying so, and nobody rejects. */
  readonly v0: Exclude<TaskState, 'rejected'>;
}

/** What a transaction is to an agent protocol. The exact status stands in the task's metadata. */
const statesByStatus: Readonly<Record<TransactionStatus, States>> = {
  pending: { state: 'input-required', v0: 'input-required' },
  frozen: { state: 'submitted', v0: 'submitted' },
  accepted: { state: 'working', v0: 'working' },
  delivered: { state: 'input-required', v0: 'working' },
  confirmed: { state: 'working', v0: 'working' },
  disputed: { state: 'working', v0: 'working' },
  settled: { state: 'completed', v0: 'completed' },
  cancelled_by_buyer: { state: 'canceled', v0: 'canceled' },
  rejected_by_seller: { state: 'rejected', v0: 'canceled' },
  failed: { state: 'failed', v0: 'failed' },
};

export type Generation = '0.1' | '0.3' | '1.0';

/** The state that a generation shows of a status. */
export function taskStateOf(status: TransactionStatus, generation: Generation): TaskState {
  return generation === '0.1' ? statesByStatus[status].v0 : statesByStatus[status].state;
}

/** The statuses that a filter by state asks for. */
export function statusesIn(state: TaskState): TransactionStatus[] {
  return (Object.keys(statesByStatus) as TransactionStatus[]).filter(
    (status) => statesByStatus[status].state === state,
  );
}

/** True where a stream has said all it can: the task ended, or waits for whoever reads. */
export function endsStream(status: TransactionStatus, generation: Generation): boolean {
  return !['submitted', 'working'].includes(taskStateOf(status, generation));
}
