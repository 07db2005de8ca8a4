/** A transaction as rows, workflows and the wire know it: JSON values only, names as on the wire. */

export const transactionStatuses = [
  'pending',
  'frozen',
  'accepted',
  'delivered',
  'confirmed',
  'disputed',
  'settled',
  'cancelled_by_buyer',
  'rejected_by_seller',
  'failed',
] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const terminalStatuses = ['settled', 'cancelled_by_buyer', 'rejected_by_seller', 'failed'] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

/** Statuses in which the price lies in the buyer's frozen account. */
export const heldStatuses = ['frozen', 'accepted', 'delivered', 'confirmed', 'disputed'] as const;

/** True for a status that nothing leaves. */
export function isTerminal(status: TransactionStatus): status is TerminalStatus {
  return (terminalStatuses as readonly string[]).includes(status);
}

export const pricingModels = ['per_use', 'per_query', 'per_hour', 'per_day', 'subscription'] as const;
export type PricingModel = (typeof pricingModels)[number];

export const transactionTypes = [...pricingModels, 'task_order'] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionOrigins = ['purchase', 'invoke', 'demand', 'order'] as const;
export type TransactionOrigin = (typeof transactionOrigins)[number];

/** Fixed when the transaction is made: a later change of the settings does not move a running one. */
export interface TransactionTerms {
  readonly freezeTimeoutMs: number;
  readonly acceptanceTimeoutMs: number;
  readonly deliveryTimeoutMs: number;
  readonly autoConfirmAfterMs: number;
  readonly disputeTimeoutMs: number;
  /** Decimal share of the price, taken from the seller's side on settlement. */
  readonly feeRate: string;
}

/** What a buyer agreed to, before the transaction exists. */
export interface TransactionOffer {
  readonly id: string;
  readonly buyer_user_id: string;
  readonly seller_user_id: string;
  readonly capability_id: string;
  readonly demand_id: string | null;
  readonly task_id: string | null;
  readonly skill_id: string | null;
  readonly transaction_type: TransactionType;
  readonly origin: TransactionOrigin;
  readonly context_id: string;
  readonly price_ut: string;
  readonly booked_hours: number | null;
  readonly auto_accept: boolean;
  readonly terms: TransactionTerms;
}

/** The record that the wire shows (TransactionResponse). Decimals and datetimes are strings. */
export interface TransactionRecord extends Omit<TransactionOffer, 'auto_accept' | 'terms'> {
  readonly status: TransactionStatus;
  readonly status_reason: string | null;
  readonly frozen_at: string | null;
  readonly accepted_at: string | null;
  readonly delivered_at: string | null;
  readonly confirmed_at: string | null;
  readonly settled_at: string | null;
  readonly disputed_at: string | null;
  readonly acceptance_deadline: string | null;
  readonly delivery_deadline: string | null;
  readonly auto_confirm_at: string | null;
  readonly result_payload: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The whole state: the record and what only the machine needs. It is the row and the state of the workflow. */
export interface TransactionState extends TransactionRecord {
  readonly auto_accept: boolean;
  readonly terms: TransactionTerms;
  readonly change_request_count: number;
  /** Counts the transitions, from 1; ids of postings and events derive from it. */
  readonly step: number;
  /** When the present status ends by itself; null in a terminal one. */
  readonly deadline_at: string | null;
}

/** Leaves out what the wire does not show. */
export function toRecord(state: TransactionState): TransactionRecord {
  const { auto_accept: _a, terms: _t, change_request_count: _c, step: _s, deadline_at: _d, ...record } = state;
  return record;
}
