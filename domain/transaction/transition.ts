import { MarketplaceError } from '../errors.ts';
import { freezeTransfer, settleTransfer, unfreezeTransfer, type Transfer } from '../ledger/transfer.ts';
import { subtractUt, ut, zeroUt } from '../ut.ts';
import type { Ask, Command } from './command.ts';
import { deadlines, type ActorRole, type Move, type Operation } from './lifecycle.ts';
import { heldStatuses, type TransactionOffer, type TransactionState, type TransactionStatus } from './transaction.ts';

export interface EventDraft {
  readonly type: string;
  readonly operation: string;
  readonly actor_type: ActorRole;
  readonly actor_user_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One step of a transaction: what the row becomes, the money that moves with it, the events that tell of it. */
export interface Transition {
  readonly next: TransactionState;
  readonly transfers: readonly Transfer[];
  readonly events: readonly EventDraft[];
  /** The delivery whose result becomes the transaction's: it may be large, and never passes through a workflow. */
  readonly result_delivery_id: string | null;
}

/** The first step: a pending transaction that waits for the freeze. */
export function open(offer: TransactionOffer, nowMs: number): Transition {
  if (offer.buyer_user_id === offer.seller_user_id) throw new MarketplaceError('self_dealing');
  const at = isoTime(nowMs);
  const next: TransactionState = {
    ...offer,
    status: 'pending',
    status_reason: null,
    change_request_count: 0,
    step: 1,
    deadline_at: isoTime(nowMs + offer.terms.freezeTimeoutMs),
    frozen_at: null,
    accepted_at: null,
    delivered_at: null,
    confirmed_at: null,
    settled_at: null,
    disputed_at: null,
    acceptance_deadline: null,
    delivery_deadline: null,
    auto_confirm_at: null,
    result_payload: null,
    created_at: at,
    updated_at: at,
  };
  const data = { status: next.status, price_ut: next.price_ut };
  const event = { type: 'transaction.created', operation: 'create', actor_type: 'buyer', data } as const;
  const events = [{ ...event, actor_user_id: offer.buyer_user_id }];
  return { next, transfers: [], events, result_delivery_id: null };
}

/** Carries out a move that was found allowed: the next state, the money, the events. */
export function apply(
  state: TransactionState,
  move: Move,
  role: ActorRole,
  command: Command,
  nowMs: number,
): Transition {
  const reason = statusReason(move, command.ask);
  return {
    next: {
      ...state,
      ...patch(state, move, command.ask, nowMs),
      status: move.to,
      status_reason: reason,
      step: state.step + 1,
    },
    transfers: transfersOf(state, move, command.ask),
    events: eventsOf(move, role, command, reason),
    result_delivery_id: command.ask.operation === 'complete' ? command.ask.delivery_id : null,
  };
}

function statusReason(move: Move, ask: Ask): string | null {
  const words = ask.operation === 'fail' ? ask.reason : undefined;
  return words ?? move.reason ?? null;
}

function patch(state: TransactionState, move: Move, ask: Ask, nowMs: number): Partial<TransactionState> {
  const at = isoTime(nowMs);
  const deadline = deadlineAfter(state, move.to, nowMs);
  const left = move.to === 'accepted' || move.to === 'disputed' ? { auto_confirm_at: null } : {};
  const base = { updated_at: at, deadline_at: deadline, ...left };
  switch (move.to) {
    case 'frozen':
      return { ...base, frozen_at: at, acceptance_deadline: deadline };
    case 'accepted': {
      const again = move.operation === 'request_changes';
      const count = state.change_request_count + (again ? 1 : 0);
      const first = again ? { delivered_at: null, result_payload: null } : { accepted_at: state.accepted_at ?? at };
      return { ...base, ...first, delivery_deadline: deadline, change_request_count: count };
    }
    case 'delivered':
      return { ...base, delivered_at: at, auto_confirm_at: deadline, result_payload: payloadOf(ask) };
    case 'disputed':
      return { ...base, disputed_at: at };
    case 'settled': {
      const passed = move.via ?? [];
      return {
        ...base,
        settled_at: at,
        ...(passed.includes('delivered') ? { delivered_at: at } : {}),
        ...(passed.includes('confirmed') ? { confirmed_at: at } : {}),
      };
    }
    case 'pending':
    case 'confirmed':
    case 'cancelled_by_buyer':
    case 'rejected_by_seller':
    case 'failed':
      return base;
  }
}

function payloadOf(ask: Ask): Readonly<Record<string, unknown>> | null {
  return ask.operation === 'deliver' ? (ask.result_payload ?? null) : null;
}

function deadlineAfter(state: TransactionState, to: TransactionStatus, nowMs: number): string | null {
  const deadline = deadlines[to];
  if (deadline === undefined) return null;
  const { terms } = state;
  const afterMs = {
    freeze: terms.freezeTimeoutMs,
    acceptance: terms.acceptanceTimeoutMs,
    delivery: terms.deliveryTimeoutMs,
    auto_confirm: terms.autoConfirmAfterMs,
    dispute: terms.disputeTimeoutMs,
  }[deadline.name];
  return isoTime(nowMs + afterMs);
}

function transfersOf(state: TransactionState, move: Move, ask: Ask): Transfer[] {
  const price = ut(state.price_ut);
  const reason = move.reason ?? move.operation;
  const held = (heldStatuses as readonly string[]).includes(state.status);
  switch (move.money) {
    case 'keep':
      return [];
    case 'freeze':
      return freezeTransfer(state, price, reason);
    case 'release':
      return held ? unfreezeTransfer(state, price, reason) : [];
    case 'settle':
      return settleTransfer(state, price, state.terms.feeRate, reason);
    case 'split': {
      const share = ask.operation === 'resolve' && ask.outcome === 'split' ? ut(ask.seller_share_ut) : zeroUt;
      const back = unfreezeTransfer(state, subtractUt(price, share), reason);
      return [...settleTransfer(state, share, state.terms.feeRate, reason), ...back];
    }
  }
}

/** Moves back to, or within, a status: its own word would say that it was reached for the first time. */
const unlikeStatus: Partial<Record<Operation, string>> = { request_changes: 'changes_requested', defer: 'deferred' };

function eventsOf(move: Move, role: ActorRole, { ask, actor }: Command, reason: string | null): EventDraft[] {
  const { operation, ...given } = ask;
  // The payload stands in the row; a copy in each event would only make the feed heavy.
  const words = operation === 'deliver' ? {} : given;
  const by = actor.type === 'operator' ? { operator: actor.name } : {};
  const userId = actor.type === 'user' ? actor.user_id : null;
  const statuses = [...(move.via ?? []), move.to];
  return statuses.map((status) => ({
    type: `transaction.${unlikeStatus[operation] ?? status}`,
    operation,
    actor_type: role,
    actor_user_id: userId,
    data: { ...words, ...by, status, status_reason: reason },
  }));
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
