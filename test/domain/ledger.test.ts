import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceIn, emptyBook, post, settledIn, sumOf, type Book } from '../../domain/ledger/book.ts';
import {
  creditTransfer,
  freezeTransfer,
  movedIn,
  platformOwnerId,
  settleTransfer,
  unfreezeTransfer,
  type Transfer,
} from '../../domain/ledger/transfer.ts';
import { addUt, negateUt, subtractUt, ut, zeroUt, type MicroUt } from '../../domain/ut.ts';

const users = ['ann', 'bob', 'cid'] as const;
const user = fc.constantFrom(...users);
const amount = fc.bigInt({ min: 1n, max: 5_000_000n }).map((micro) => micro as MicroUt);
const feeRate = fc.constantFrom('0', '0.025', '0.333333', '0.999999');
const parties = fc
  .tuple(user, user)
  .filter(([buyer, seller]) => buyer !== seller)
  .map(([buyer_user_id, seller_user_id]) => ({ buyer_user_id, seller_user_id }));

/** Any operation at any time, allowed or not: the book has to refuse what must not be. */
const operation = fc.oneof(
  fc.tuple(user, amount).map(([to, micro]) => creditTransfer(to, micro, 'credit')),
  fc.tuple(parties, amount).map(([pair, micro]) => freezeTransfer(pair, micro, 'freeze')),
  fc.tuple(parties, amount).map(([pair, micro]) => unfreezeTransfer(pair, micro, 'unfreeze')),
  fc.tuple(parties, amount, feeRate).map(([pair, micro, rate]) => settleTransfer(pair, micro, rate, 'settle')),
);

function postAll(transfers: readonly Transfer[]): Book {
  return transfers.reduce((book, one) => post(book, one) ?? book, emptyBook);
}

describe('the book', () => {
  test('sums to zero after any sequence of operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        expect(sumOf(postAll(operations.flat()))).toBe(0n);
      }),
    );
  });

  test('leaves no account of a user and no fees negative, after any sequence of operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const book = postAll(operations.flat());
        const balances = users.flatMap((id) => [balanceIn(book, id, 'available'), balanceIn(book, id, 'frozen')]);
        const all = [...balances, balanceIn(book, platformOwnerId, 'fees')];
        expect(all.filter((balance) => balance < 0n)).toEqual([]);
      }),
    );
  });

  test('holds what was issued: users and fees together are the credits', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const book = postAll(operations.flat());
        const held = users.flatMap((id) => [balanceIn(book, id, 'available'), balanceIn(book, id, 'frozen')]);
        const all = [...held, balanceIn(book, platformOwnerId, 'fees')].reduce(addUt, zeroUt);
        expect(all).toBe(negateUt(balanceIn(book, platformOwnerId, 'issuance')));
      }),
    );
  });

  test('refuses as a whole: a transfer that would leave an account negative changes nothing', () => {
    const [freeze] = freezeTransfer({ buyer_user_id: 'ann', seller_user_id: 'bob' }, ut('1'), 'freeze');
    expect(freeze && post(emptyBook, freeze)).toBeNull();
    expect(emptyBook.balances.size).toBe(0);
  });
});

/** One purchase as its own ordered steps; purchases are then shuffled into each other. */
const purchase = fc.record({ pair: parties, price: amount, rate: feeRate, share: fc.integer({ min: 0, max: 100 }) });

describe('purchases in any interleaving', () => {
  test('give the seller and the platform exactly what the buyer paid, or everything back', () => {
    const interleaved = fc
      .array(purchase, { minLength: 1, maxLength: 8 })
      .chain((purchases) =>
        fc.tuple(fc.constant(purchases), fc.shuffledSubarray(turnsOf(purchases), { minLength: purchases.length * 2 })),
      );
    fc.assert(
      fc.property(interleaved, ([purchases, turns]) => {
        const book = play(purchases, turns);
        expect(sumOf(book)).toBe(0n);
        for (const id of users) expect(balanceIn(book, id, 'frozen')).toBe(0n);
        const earned = users.map((id) => settledIn(book, id, 'available')).reduce(addUt, zeroUt);
        const spent = users.map((id) => settledIn(book, id, 'frozen')).reduce(addUt, zeroUt);
        expect(addUt(addUt(earned, spent), settledIn(book, platformOwnerId, 'fees'))).toBe(0n);
      }),
    );
  });

  test('move the price out of the frozen account exactly once, however it is split', () => {
    fc.assert(
      fc.property(purchase, (one) => {
        expect(movedIn(endOf(one), one.pair.buyer_user_id, 'frozen')).toBe(negateUt(one.price));
      }),
    );
  });
});

type Purchase = typeof purchase extends fc.Arbitrary<infer T> ? T : never;

function turnsOf(purchases: readonly Purchase[]): number[] {
  return purchases.flatMap((_, index) => [index, index]);
}

function play(purchases: readonly Purchase[], turns: readonly number[]): Book {
  let book = users.flatMap((id) => creditTransfer(id, ut('10'), 'credit')).reduce((b, t) => post(b, t) ?? b, emptyBook);
  const steps = purchases.map((one) => [freezeTransfer(one.pair, one.price, 'freeze'), endOf(one)]);
  const refused = new Set<number>();
  for (const turn of turns) {
    const step = steps[turn]?.shift() ?? [];
    if (refused.has(turn)) continue;
    for (const one of step) {
      const next = post(book, one);
      if (next === null) refused.add(turn);
      book = next ?? book;
    }
  }
  return book;
}

/** Settles a share of the price and gives the rest back; 0 is a cancellation, 100 a plain settlement. */
function endOf({ pair, price, rate, share }: Purchase): Transfer[] {
  const paid = ((price * BigInt(share)) / 100n) as MicroUt;
  return [
    ...settleTransfer(pair, paid, rate, 'settle'),
    ...unfreezeTransfer(pair, subtractUt(price, paid), 'unfreeze'),
  ];
}
