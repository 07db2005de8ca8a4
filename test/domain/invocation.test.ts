import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../domain/errors.ts';
import { movedIn } from '../../domain/ledger/transfer.ts';
import type { Actor, Ask } from '../../domain/transaction/command.ts';
import { decide, nextDeadline } from '../../domain/transaction/decide.ts';
import { openInvocation, outcomeOf } from '../../domain/transaction/invocation.ts';
import {
  transactionOrigins,
  transactionStatuses,
  type TransactionState,
} from '../../domain/transaction/transaction.ts';
import { actors, buyerId, offerOf, startMs, stateIn } from './offer.ts';

const timeoutMs = 30_000;
const offer = offerOf({ origin: 'invoke' });
const everybody: Record<string, Actor> = { ...actors, callback: { type: 'callback' } };
const asks = {
  complete: { operation: 'complete', delivery_id: '00000000-0000-8000-8000-000000000009' },
  defer: { operation: 'defer' },
  fail: { operation: 'fail', reason: 'callback_timeout' },
} as const satisfies Record<string, Ask>;
const reached = { complete: 'settled', defer: 'accepted', fail: 'failed' } as const;

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof MarketplaceError) return error.errorName;
    throw error;
  }
  return 'nothing was refused';
}

describe('the first step of an invocation', () => {
  const { next, transfers, events } = openInvocation(offer, timeoutMs, startMs);

  it('creates, freezes and accepts at once, and holds the price', () => {
    expect(next).toMatchObject({ status: 'accepted', status_reason: 'callback_pending', step: 1 });
    expect(events.map(({ type }) => type)).toEqual([
      'transaction.created',
      'transaction.frozen',
      'transaction.accepted',
    ]);
    expect(events.map(({ actor_type }) => actor_type)).toEqual(['buyer', 'buyer', 'system']);
    expect(movedIn(transfers, buyerId, 'available')).toBe(-10_000_000n);
    expect(movedIn(transfers, buyerId, 'frozen')).toBe(10_000_000n);
  });

  it('ends by itself when the time of the call is over, with the money back', () => {
    const deadline = nextDeadline(next);
    expect(deadline?.atMs).toBe(startMs + timeoutMs);
    const ended = deadline === null ? null : decide(next, deadline.command, deadline.atMs);
    expect(ended?.next).toMatchObject({ status: 'rejected_by_seller', status_reason: 'delivery_timeout' });
    expect(movedIn(ended?.transfers ?? [], buyerId, 'available')).toBe(10_000_000n);
  });
});

describe.each(transactionOrigins)('of origin %s', (origin) => {
  describe.each(transactionStatuses)('from %s', (status) => {
    it.each(Object.keys(asks) as (keyof typeof asks)[])(
      'what a call came to (%s) is only for the call of an invocation that is under way',
      (name) => {
        const state = stateIn(status, offerOf({ origin }));
        const command = { ask: asks[name], actor: { type: 'callback' } } as const;
        if (origin !== 'invoke' || status !== 'accepted') {
          expect(refusalOf(() => decide(state, command, startMs))).toBe('invalid_state');
          return;
        }
        expect(decide(state, command, startMs).next.status).toBe(reached[name]);
      },
    );
  });
});

describe('what a call came to', () => {
  const { next } = openInvocation(offer, timeoutMs, startMs);
  const come = (ask: Ask) => decide(next, { ask, actor: { type: 'callback' } }, startMs + 5);

  it.each(Object.keys(actors))('is told by nobody else, not even %s', (name) => {
    for (const ask of [asks.complete, asks.defer]) {
      const actor = everybody[name] ?? { type: 'system' };
      expect(refusalOf(() => decide(next, { ask, actor }, startMs))).toBe('not_a_party');
    }
  });

  it('with a result settles, with every time set and the result taken from the delivery', () => {
    const done = come(asks.complete);
    const at = new Date(startMs + 5).toISOString();
    expect(done.next).toMatchObject({ delivered_at: at, confirmed_at: at, settled_at: at, deadline_at: null });
    expect(done.result_delivery_id).toBe(asks.complete.delivery_id);
    expect(movedIn(done.transfers, buyerId, 'frozen')).toBe(-10_000_000n);
    expect(outcomeOf(done.next)).toEqual({ kind: 'settled', charged_ut: '10.00', latency_ms: 5 });
  });

  it('with "later" moves nothing, and gives the seller the usual time to deliver', () => {
    const later = come(asks.defer);
    expect(later.transfers).toEqual([]);
    expect(nextDeadline(later.next)?.atMs).toBe(startMs + 5 + offer.terms.deliveryTimeoutMs);
    expect(later.next.accepted_at).toBe(next.accepted_at);
    expect(outcomeOf(later.next)).toEqual({ kind: 'later', latency_ms: 5 });
  });

  it.each([
    ['callback_failed', 'failed'],
    ['callback_timeout', 'timed_out'],
  ])('with %s gives the money back', (reason, kind) => {
    const { next: ended, transfers } = come({ operation: 'fail', reason });
    expect(ended).toMatchObject({ status: 'failed', status_reason: reason });
    expect(movedIn(transfers, buyerId, 'available')).toBe(10_000_000n);
    expect(outcomeOf(ended)).toEqual({ kind });
  });

  it('moves the price exactly once, whatever is tried after it', () => {
    const anything = fc.array(fc.constantFrom(...Object.values(asks)), { maxLength: 6 });
    fc.assert(
      fc.property(anything, (tries) => {
        let state: TransactionState = next;
        let heldMicro = 10_000_000n;
        for (const ask of tries) {
          try {
            const step = decide(state, { ask, actor: { type: 'callback' } }, startMs + 1);
            heldMicro += movedIn(step.transfers, buyerId, 'frozen');
            state = step.next;
          } catch (error) {
            expect(error).toBeInstanceOf(MarketplaceError);
          }
        }
        expect(heldMicro).toBe(state.status === 'accepted' ? 10_000_000n : 0n);
      }),
    );
  });
});
