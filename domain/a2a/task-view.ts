import type { TransactionRecord, TransactionStatus } from '../transaction/transaction.ts';

/** A task in the words of no generation; each writes it in its own. */
export interface TaskView {
  readonly id: string;
  readonly contextId: string;
  /** What its state is made from. */
  readonly status: TransactionStatus;
  readonly changedAt: string;
  readonly message: { readonly text: string; readonly data: Readonly<Record<string, unknown>> | null } | null;
  /** The seller's result, once there is one. */
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What went wrong beside what was asked for, such as a freeze right after a purchase. */
export interface Refusal {
  readonly code: number;
  readonly error: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A transaction as a task. `metadata.transaction` is the REST record without its result, which is the artifact. */
export function taskOf(record: TransactionRecord, refusal: Refusal | null = null): TaskView {
  const { result_payload: result, ...transaction } = record;
  const text = refusal === null ? nextStep(record) : `${refusal.message} ${nextStep(record) ?? ''}`.trim();
  return {
    id: record.id,
    contextId: record.context_id,
    status: record.status,
    changedAt: record.updated_at,
    message: text === null ? null : { text, data: null },
    result,
    metadata: { transaction, ...(refusal === null ? {} : { refusal }) },
  };
}

/** A step of a transaction, as an event tells it. */
export interface RecordedStep {
  /** Has the status that the step led to. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/**
 * A record as it was after a step: its status and time are the step's, all else is as it is now. A result belongs to the
 * delivery and what comes after it.
 */
export function recordAt({ data, created_at }: RecordedStep, now: TransactionRecord): TransactionRecord {
  const status = data['status'] as TransactionStatus;
  const before = ['pending', 'frozen', 'accepted'].includes(status);
  return { ...now, status, result_payload: before ? null : now.result_payload, updated_at: created_at };
}

/** What a task that waits for input waits for. */
function nextStep({ status, price_ut }: TransactionRecord): string | null {
  if (status === 'pending')
    return `Send the data part {"operation": "freeze"} on this task to freeze ${price_ut} UT, or cancel the task.`;
  if (status === 'delivered')
    return 'Delivered. Send {"operation": "confirm"}, or "request_changes" with a note, or "dispute" with a reason.';
  return null;
}
