import type { TransactionRecord, TransactionStatus } from '../../domain/transaction/transaction.ts';
import type { Proposal } from './proposal.ts';

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

/** What a task that waits for input waits for. */
function nextStep({ status, price_ut }: TransactionRecord): string | null {
  if (status === 'pending')
    return `Send the data part {"operation": "freeze"} on this task to freeze ${price_ut} UT, or cancel the task.`;
  if (status === 'delivered')
    return 'Delivered. Send {"operation": "confirm"}, or "request_changes" with a note, or "dispute" with a reason.';
  return null;
}

/** A task of which nothing was bought yet: the answer to a demand in words. */
export function proposalTask(id: string, contextId: string, at: Date, proposals: readonly Proposal[] | null): TaskView {
  return {
    id,
    contextId,
    status: 'pending',
    changedAt: at.toISOString(),
    message: {
      text: proposalText(proposals),
      data: proposals === null ? null : { proposals },
    },
    result: null,
    metadata: { transaction: null },
  };
}

function proposalText(proposals: readonly Proposal[] | null): string {
  const how = 'To buy, send a data part with a capability_id on this task; metadata {"freeze": true} freezes at once.';
  if (proposals === null) return `Nothing was bought yet. ${how}`;
  if (proposals.length === 0)
    return 'Nothing on offer has these words. Try others, or browse GET /api/v1/capabilities.';
  const lines = proposals.map(({ title, price_ut, pricing_model }) => `- ${title}: ${price_ut} UT ${pricing_model}`);
  return [`These may be what you look for:`, ...lines, how].join('\n');
}
