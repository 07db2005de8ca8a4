import type { Actor, Ask, Command } from '../../domain/transaction/command.ts';
import type { TransactionOffer, TransactionState } from '../../domain/transaction/transaction.ts';
import { decide } from '../../domain/transaction/decide.ts';
import { open } from '../../domain/transaction/transition.ts';

export const buyerId = '00000000-0000-8000-8000-00000000000b';
export const sellerId = '00000000-0000-8000-8000-00000000000c';
export const strangerId = '00000000-0000-8000-8000-00000000000d';
export const startMs = Date.parse('2026-11-21T09:00:00.000Z');
export const hourMs = 3_600_000;

/** An offer of 10 UT on the default terms. */
export function offerOf(changes: Partial<TransactionOffer> = {}): TransactionOffer {
  return {
    id: '00000000-0000-8000-8000-000000000001',
    buyer_user_id: buyerId,
    seller_user_id: sellerId,
    capability_id: '00000000-0000-8000-8000-000000000002',
    demand_id: null,
    task_id: null,
    skill_id: null,
    transaction_type: 'per_use',
    origin: 'purchase',
    context_id: '00000000-0000-8000-8000-000000000003',
    price_ut: '10.00',
    booked_hours: null,
    auto_accept: false,
    terms: {
      freezeTimeoutMs: 24 * hourMs,
      acceptanceTimeoutMs: 48 * hourMs,
      deliveryTimeoutMs: 72 * hourMs,
      autoConfirmAfterMs: 72 * hourMs,
      disputeTimeoutMs: 720 * hourMs,
      feeRate: '0',
    },
    ...changes,
  };
}

export const actors = {
  buyer: { type: 'user', user_id: buyerId, is_admin: false },
  seller: { type: 'user', user_id: sellerId, is_admin: false },
  stranger: { type: 'user', user_id: strangerId, is_admin: false },
  admin: { type: 'user', user_id: strangerId, is_admin: true },
  operator: { type: 'operator', name: 'jane' },
  timer: { type: 'timer' },
  system: { type: 'system' },
} as const satisfies Record<string, Actor>;
export type ActorName = keyof typeof actors;

export function commandOf(actor: ActorName, ask: Ask): Command {
  return { ask, actor: actors[actor] };
}

/** Every ask there is, with valid fields. */
export const asks: readonly Ask[] = [
  ...(['freeze', 'accept', 'reject', 'confirm', 'cancel', 'auto_accept'] as const).map((operation) => ({ operation })),
  ...(['freeze_timeout', 'acceptance_timeout', 'delivery_timeout', 'auto_confirm', 'dispute_timeout'] as const).map(
    (operation) => ({ operation }),
  ),
  { operation: 'fail', reason: 'broken' },
  { operation: 'deliver', result_payload: { answer: 42 } },
  { operation: 'request_changes', note: 'again' },
  { operation: 'dispute', reason: 'bad' },
  { operation: 'resolve', outcome: 'settle', note: 'n' },
  { operation: 'resolve', outcome: 'refund', note: 'n' },
  { operation: 'resolve', outcome: 'split', seller_share_ut: '4.00', note: 'n' },
];

const path: readonly (readonly [ActorName, Ask])[] = [
  ['buyer', { operation: 'freeze' }],
  ['seller', { operation: 'accept' }],
  ['seller', { operation: 'deliver' }],
  ['buyer', { operation: 'dispute', reason: 'bad' }],
];

/** A transaction in a status, reached the way a real one reaches it. `confirmed` only passes through. */
export function stateIn(status: TransactionState['status'], offer = offerOf()): TransactionState {
  let state = open(offer, startMs).next;
  const end: Partial<Record<TransactionState['status'], readonly [ActorName, Ask]>> = {
    cancelled_by_buyer: ['buyer', { operation: 'cancel' }],
    failed: ['operator', { operation: 'fail' }],
  };
  const shortcut = end[status];
  if (shortcut !== undefined) return decide(state, commandOf(...shortcut), startMs).next;
  if (status === 'confirmed') return { ...stateIn('delivered', offer), status };
  for (const step of path) {
    if (state.status === status) return state;
    if (status === 'rejected_by_seller' && state.status === 'frozen') {
      return decide(state, commandOf('seller', { operation: 'reject' }), startMs).next;
    }
    if (status === 'settled' && state.status === 'delivered') {
      return decide(state, commandOf('buyer', { operation: 'confirm' }), startMs).next;
    }
    state = decide(state, commandOf(...step), startMs).next;
  }
  return state;
}
