import type { TransactionOrigin, TransactionStatus } from './transaction.ts';

/**
 * The state machine, once, as data. The workflow, the API's errors, the diagram in the README and the tests read it.
 * Source: "Transaction transitions" of the interface, and its decisions on disputes, changes and deadlines.
 */

export const partyOperations = [
  'freeze',
  'accept',
  'reject',
  'deliver',
  'confirm',
  'cancel',
  'dispute',
  'request_changes',
  'resolve',
] as const;
export type PartyOperation = (typeof partyOperations)[number];

export const timerOperations = [
  'freeze_timeout',
  'acceptance_timeout',
  'delivery_timeout',
  'auto_confirm',
  'dispute_timeout',
] as const;
export type TimerOperation = (typeof timerOperations)[number];

/** `complete` and `defer`: what the seller answered to the call of an invocation, with a result or with "later". */
export type Operation = PartyOperation | TimerOperation | 'auto_accept' | 'complete' | 'defer' | 'fail';

/** In which role somebody acts on a transaction. `callback` is the platform's own call of the seller. */
export type ActorRole = 'buyer' | 'seller' | 'admin' | 'operator' | 'timer' | 'system' | 'callback';

export type DeadlineName = 'freeze' | 'acceptance' | 'delivery' | 'auto_confirm' | 'dispute';

/** What a move does with the money; `release` gives back what is held, if anything is. */
export type Money = 'freeze' | 'settle' | 'split' | 'release' | 'keep';

export const resolveOutcomes = ['settle', 'refund', 'split'] as const;
export type ResolveOutcome = (typeof resolveOutcomes)[number];

export interface Move {
  readonly operation: Operation;
  readonly outcome?: ResolveOutcome;
  readonly by: ActorRole;
  readonly from: readonly TransactionStatus[];
  /** Only transactions of this origin know the move. */
  readonly origin?: TransactionOrigin;
  /** Statuses that are passed through and recorded, but never stay. */
  readonly via?: readonly TransactionStatus[];
  readonly to: TransactionStatus;
  readonly money: Money;
  /** The status_reason that the move leaves; null clears it. */
  readonly reason?: string;
}

export const lifecycle: readonly Move[] = [
  { operation: 'freeze', by: 'buyer', from: ['pending'], to: 'frozen', money: 'freeze' },
  { operation: 'accept', by: 'seller', from: ['frozen'], to: 'accepted', money: 'keep' },
  { operation: 'auto_accept', by: 'system', from: ['frozen'], to: 'accepted', money: 'keep', reason: 'auto_accepted' },
  { operation: 'deliver', by: 'seller', from: ['accepted'], to: 'delivered', money: 'keep' },
  {
    operation: 'confirm',
    by: 'buyer',
    from: ['delivered', 'disputed'],
    via: ['confirmed'],
    to: 'settled',
    money: 'settle',
  },
  {
    operation: 'request_changes',
    by: 'buyer',
    from: ['delivered'],
    to: 'accepted',
    money: 'keep',
    reason: 'changes_requested',
  },
  { operation: 'dispute', by: 'buyer', from: ['delivered'], to: 'disputed', money: 'keep', reason: 'disputed' },
  {
    operation: 'cancel',
    by: 'buyer',
    from: ['pending', 'frozen'],
    to: 'cancelled_by_buyer',
    money: 'release',
    reason: 'cancelled',
  },
  {
    operation: 'reject',
    by: 'seller',
    from: ['frozen', 'accepted', 'disputed'],
    to: 'rejected_by_seller',
    money: 'release',
    reason: 'rejected',
  },
  {
    operation: 'resolve',
    outcome: 'settle',
    by: 'admin',
    from: ['disputed'],
    to: 'settled',
    money: 'settle',
    reason: 'resolved_settle',
  },
  {
    operation: 'resolve',
    outcome: 'split',
    by: 'admin',
    from: ['disputed'],
    to: 'settled',
    money: 'split',
    reason: 'resolved_split',
  },
  {
    operation: 'resolve',
    outcome: 'refund',
    by: 'admin',
    from: ['disputed'],
    to: 'cancelled_by_buyer',
    money: 'release',
    reason: 'resolved_refund',
  },
  {
    operation: 'freeze_timeout',
    by: 'timer',
    from: ['pending'],
    to: 'cancelled_by_buyer',
    money: 'release',
    reason: 'freeze_timeout',
  },
  {
    operation: 'acceptance_timeout',
    by: 'timer',
    from: ['frozen'],
    to: 'rejected_by_seller',
    money: 'release',
    reason: 'acceptance_timeout',
  },
  {
    operation: 'delivery_timeout',
    by: 'timer',
    from: ['accepted'],
    to: 'rejected_by_seller',
    money: 'release',
    reason: 'delivery_timeout',
  },
  {
    operation: 'auto_confirm',
    by: 'timer',
    from: ['delivered'],
    to: 'settled',
    money: 'settle',
    reason: 'auto_confirmed',
  },
  {
    operation: 'dispute_timeout',
    by: 'timer',
    from: ['disputed'],
    to: 'cancelled_by_buyer',
    money: 'release',
    reason: 'dispute_timeout',
  },
  {
    operation: 'complete',
    origin: 'invoke',
    by: 'callback',
    from: ['accepted'],
    via: ['delivered', 'confirmed'],
    to: 'settled',
    money: 'settle',
    reason: 'callback_answered',
  },
  {
    operation: 'defer',
    origin: 'invoke',
    by: 'callback',
    from: ['accepted'],
    to: 'accepted',
    money: 'keep',
    reason: 'callback_accepted',
  },
  {
    operation: 'fail',
    origin: 'invoke',
    by: 'callback',
    from: ['accepted'],
    to: 'failed',
    money: 'release',
    reason: 'callback_failed',
  },
  {
    operation: 'fail',
    by: 'system',
    from: ['pending', 'frozen', 'accepted', 'delivered', 'disputed'],
    to: 'failed',
    money: 'release',
    reason: 'system_error',
  },
];

/** The timer that ends each status by itself, and where its deadline is shown. No status waits without one. */
export const deadlines: Readonly<
  Partial<Record<TransactionStatus, { name: DeadlineName; operation: TimerOperation }>>
> = {
  pending: { name: 'freeze', operation: 'freeze_timeout' },
  frozen: { name: 'acceptance', operation: 'acceptance_timeout' },
  accepted: { name: 'delivery', operation: 'delivery_timeout' },
  delivered: { name: 'auto_confirm', operation: 'auto_confirm' },
  disputed: { name: 'dispute', operation: 'dispute_timeout' },
};

export const maxChangeRequests = 3;

/** What each role may do in a status; for `data.allowed_operations` of a refusal, in the words of the REST paths. */
export function allowedOperations(status: TransactionStatus, role: ActorRole): string[] {
  const moves = lifecycle.filter((move) => move.by === role && move.from.includes(status));
  return [...new Set(moves.map((move) => operationPath(move.operation)))];
}

/** `request_changes` is `request-changes` in an address. */
export function operationPath(operation: Operation): string {
  return operation.replaceAll('_', '-');
}
