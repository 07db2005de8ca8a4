import { describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../domain/errors.ts';
import { movedIn } from '../../domain/ledger/transfer.ts';
import { decide, nextDeadline } from '../../domain/transaction/decide.ts';
import { allowedOperations, deadlines, lifecycle, type ActorRole } from '../../domain/transaction/lifecycle.ts';
import { isTerminal, transactionStatuses, type TransactionStatus } from '../../domain/transaction/transaction.ts';
import type { Ask } from '../../domain/transaction/command.ts';
import {
  actors,
  asks,
  buyerId,
  commandOf,
  hourMs,
  offerOf,
  sellerId,
  startMs,
  stateIn,
  type ActorName,
} from './offer.ts';

/** The interface's table, written down a second time by hand: operation, who, from → to. */
const allowed: Readonly<Record<string, readonly [ActorName, Partial<Record<TransactionStatus, TransactionStatus>>]>> = {
  freeze: ['buyer', { pending: 'frozen' }],
  accept: ['seller', { frozen: 'accepted' }],
  auto_accept: ['system', { frozen: 'accepted' }],
  deliver: ['seller', { accepted: 'delivered' }],
  confirm: ['buyer', { delivered: 'settled', disputed: 'settled' }],
  request_changes: ['buyer', { delivered: 'accepted' }],
  dispute: ['buyer', { delivered: 'disputed' }],
  cancel: ['buyer', { pending: 'cancelled_by_buyer', frozen: 'cancelled_by_buyer' }],
  reject: ['seller', { frozen: 'rejected_by_seller', accepted: 'rejected_by_seller', disputed: 'rejected_by_seller' }],
  'resolve settle': ['admin', { disputed: 'settled' }],
  'resolve split': ['admin', { disputed: 'settled' }],
  'resolve refund': ['admin', { disputed: 'cancelled_by_buyer' }],
  freeze_timeout: ['timer', { pending: 'cancelled_by_buyer' }],
  acceptance_timeout: ['timer', { frozen: 'rejected_by_seller' }],
  delivery_timeout: ['timer', { accepted: 'rejected_by_seller' }],
  auto_confirm: ['timer', { delivered: 'settled' }],
  dispute_timeout: ['timer', { disputed: 'cancelled_by_buyer' }],
  fail: [
    'system',
    { pending: 'failed', frozen: 'failed', accepted: 'failed', delivered: 'failed', disputed: 'failed' },
  ],
};

const held = new Set<TransactionStatus>(['frozen', 'accepted', 'delivered', 'confirmed', 'disputed']);

function nameOf(ask: Ask): string {
  return ask.operation === 'resolve' ? `resolve ${ask.outcome}` : ask.operation;
}

function mayAct(actor: ActorName, by: ActorName): boolean {
  return actor === by || (actor === 'operator' && by !== 'timer');
}

function refusalOf(work: () => unknown): MarketplaceError {
  try {
    work();
  } catch (error) {
    if (error instanceof MarketplaceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe.each(transactionStatuses)('from %s', (status) => {
  describe.each(asks.map((ask) => [nameOf(ask), ask] as const))('%s', (name, ask) => {
    it.each(Object.keys(actors) as ActorName[])(
      'by %s moves as the interface says, or is refused and says why',
      (actor) => {
        const state = stateIn(status);
        const row = allowed[name];
        expect(row, `${name} is not in the table`).toBeDefined();
        const [by, moves] = row ?? ['system', {}];
        const to = mayAct(actor, by) ? moves[status] : undefined;
        const command = commandOf(actor, ask);
        if (to === undefined) {
          const refusal = refusalOf(() => decide(state, command, startMs));
          expect(refusal.errorName).toBe(mayAct(actor, by) ? 'invalid_state' : 'not_a_party');
          if (refusal.errorName === 'invalid_state') {
            expect(refusal.data).toMatchObject({ status, allowed_operations: expect.any(Array) as string[] });
          }
          return;
        }
        const { next, transfers, events } = decide(state, command, startMs + 1);
        expect(next.status).toBe(to);
        expect(next.step).toBe(state.step + 1);
        expect(events.at(-1)?.data['status']).toBe(to);
        expect(next.deadline_at === null).toBe(isTerminal(to));
        const wasHeld = held.has(status) ? 10_000_000n : 0n;
        const isHeld = held.has(to) ? 10_000_000n : 0n;
        expect(movedIn(transfers, buyerId, 'frozen')).toBe(isHeld - wasHeld);
        const earned = movedIn(transfers, sellerId, 'available');
        expect(earned).toBe(to !== 'settled' ? 0n : name === 'resolve split' ? 4_000_000n : 10_000_000n);
        expect(movedIn(transfers, buyerId, 'available') + movedIn(transfers, buyerId, 'frozen') + earned).toBe(0n);
      },
    );
  });
});

describe('a transaction', () => {
  it('tells each role what it may do now', () => {
    const seen = (['buyer', 'seller', 'admin'] as ActorRole[]).map((role) => allowedOperations('disputed', role));
    expect(seen).toEqual([['confirm'], ['reject'], ['resolve']]);
    expect(allowedOperations('delivered', 'buyer')).toEqual(['confirm', 'request-changes', 'dispute']);
  });

  it('never waits in a status without a timer, and in no terminal one with one', () => {
    for (const status of transactionStatuses.filter((one) => one !== 'confirmed')) {
      const deadline = nextDeadline(stateIn(status));
      expect(deadline === null, status).toBe(isTerminal(status));
      if (deadline !== null)
        expect(decide(stateIn(status), deadline.command, deadline.atMs).next.status).not.toBe(status);
    }
    expect(Object.keys(deadlines)).toEqual(
      transactionStatuses.filter((one) => !isTerminal(one) && one !== 'confirmed'),
    );
  });

  it('shows the deadline of the status it is in', () => {
    const accepted = stateIn('accepted');
    expect(stateIn('frozen').acceptance_deadline).toBe(new Date(startMs + 48 * hourMs).toISOString());
    expect(accepted.delivery_deadline).toBe(new Date(startMs + 72 * hourMs).toISOString());
    expect(stateIn('delivered').auto_confirm_at).toBe(new Date(startMs + 72 * hourMs).toISOString());
    expect(stateIn('disputed').auto_confirm_at).toBeNull();
  });

  it('is accepted right after the freeze where the price reaches the threshold, in one step with both events', () => {
    const { next, events, transfers } = decide(
      stateIn('pending', offerOf({ auto_accept: true })),
      commandOf('buyer', { operation: 'freeze' }),
      startMs,
    );
    expect([next.status, next.step, next.status_reason]).toEqual(['accepted', 2, 'auto_accepted']);
    expect(events.map((event) => event.type)).toEqual(['transaction.frozen', 'transaction.accepted']);
    expect(transfers).toHaveLength(1);
    expect(next.frozen_at).toBe(next.accepted_at);
  });

  it('passes through confirmed when it is confirmed', () => {
    const { next, events } = decide(stateIn('delivered'), commandOf('buyer', { operation: 'confirm' }), startMs);
    expect(events.map((event) => event.type)).toEqual(['transaction.confirmed', 'transaction.settled']);
    expect(next.confirmed_at).toBe(next.settled_at);
  });

  it('grants three requests for changes, each with a new deadline, and refuses the fourth', () => {
    let state = stateIn('delivered');
    for (const round of [1, 2, 3]) {
      const atMs = startMs + round * hourMs;
      state = decide(state, commandOf('buyer', { operation: 'request_changes', note: 'more' }), atMs).next;
      expect([state.status, state.change_request_count, state.delivered_at]).toEqual(['accepted', round, null]);
      expect(state.delivery_deadline).toBe(new Date(atMs + 72 * hourMs).toISOString());
      state = decide(state, commandOf('seller', { operation: 'deliver' }), atMs).next;
    }
    const refusal = refusalOf(() =>
      decide(state, commandOf('buyer', { operation: 'request_changes', note: 'more' }), startMs),
    );
    expect(refusal.errorName).toBe('invalid_state');
    expect(refusal.data?.['allowed_operations']).toEqual(['confirm', 'dispute']);
  });

  it.each(['-0.01', '10.01', 'x'])('refuses a split that gives the seller %s of 10.00', (seller_share_ut) => {
    const ask = { operation: 'resolve', outcome: 'split', seller_share_ut, note: 'n' } as const;
    expect(refusalOf(() => decide(stateIn('disputed'), commandOf('admin', ask), startMs)).errorName).toBe(
      'validation_failed',
    );
  });

  it('takes the fee from the seller on settlement only', () => {
    const offer = offerOf({ terms: { ...offerOf().terms, feeRate: '0.025' } });
    const { transfers } = decide(stateIn('delivered', offer), commandOf('buyer', { operation: 'confirm' }), startMs);
    expect(movedIn(transfers, sellerId, 'available')).toBe(9_750_000n);
    expect(movedIn(transfers, '00000000-0000-0000-0000-000000000000', 'fees')).toBe(250_000n);
    const refund = decide(stateIn('frozen', offer), commandOf('buyer', { operation: 'cancel' }), startMs);
    expect(movedIn(refund.transfers, buyerId, 'available')).toBe(10_000_000n);
  });

  it('moves no money for a price of zero', () => {
    const free = offerOf({ price_ut: '0.00' });
    expect(decide(stateIn('pending', free), commandOf('buyer', { operation: 'freeze' }), startMs).transfers).toEqual(
      [],
    );
    expect(decide(stateIn('delivered', free), commandOf('buyer', { operation: 'confirm' }), startMs).transfers).toEqual(
      [],
    );
  });

  it('has no move out of a terminal status', () => {
    for (const move of lifecycle) expect(move.from.some(isTerminal), move.operation).toBe(false);
  });
});
