import { followedBy } from './decide.ts';
import type { Command } from './command.ts';
import type { TransactionOffer, TransactionRecord, TransactionStatus } from './transaction.ts';
import { open, type Transition } from './transition.ts';

/**
 * The first step of an invocation: created, frozen and accepted at once, so that the seller is called on money that is
 * there. Until the call has an outcome, the transaction's deadline is the call's: one that is lost ends by it.
 */
export function openInvocation(offer: TransactionOffer, callbackTimeoutMs: number, nowMs: number): Transition {
  const actor = { type: 'user', user_id: offer.buyer_user_id, is_admin: false } as const;
  const freeze: Command = { ask: { operation: 'freeze' }, actor };
  const opened = followedBy(open({ ...offer, auto_accept: true }, nowMs), freeze, nowMs);
  const deadline = new Date(nowMs + callbackTimeoutMs).toISOString();
  const calling = { status_reason: 'callback_pending', deadline_at: deadline, delivery_deadline: deadline };
  return { ...opened, next: { ...opened.next, ...calling } };
}

/** What the caller of an invocation is told. */
export type InvocationOutcome =
  | { readonly kind: 'settled'; readonly charged_ut: string; readonly latency_ms: number }
  | { readonly kind: 'later'; readonly latency_ms: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'timed_out' };

const laterStatuses: ReadonlySet<TransactionStatus> = new Set(['accepted', 'delivered', 'disputed']);

/** What became of an invocation whose call has an outcome: the same answer whenever it is asked. */
export function outcomeOf(record: TransactionRecord): InvocationOutcome {
  const { status, status_reason, created_at, settled_at, updated_at, price_ut } = record;
  // The clocks of those who wrote the two may differ.
  const latency_ms = Math.max(0, Date.parse(settled_at ?? updated_at) - Date.parse(created_at));
  if (status === 'settled') return { kind: 'settled', charged_ut: price_ut, latency_ms };
  if (laterStatuses.has(status)) return { kind: 'later', latency_ms };
  const late = status_reason === 'callback_timeout' || status_reason === 'delivery_timeout';
  return { kind: late ? 'timed_out' : 'failed' };
}
