import { addUt, ut, zeroUt, type MicroUt } from '../ut.ts';
import type { AccountKind, Transfer } from './transfer.ts';

/**
 * The ledger as a value: what the database is held against. Balances by account; a missing one is zero. `settled` counts
 * what settlements alone moved.
 */
export interface Book {
  readonly balances: ReadonlyMap<string, MicroUt>;
  readonly settled: ReadonlyMap<string, MicroUt>;
}

export const emptyBook: Book = { balances: new Map(), settled: new Map() };

/** The name of an account within a book. */
export function accountKey(ownerId: string, kind: AccountKind): string {
  return `${ownerId} ${kind}`;
}

/** The balance of an account; zero before its first posting. */
export function balanceIn(book: Book, ownerId: string, kind: AccountKind): MicroUt {
  return book.balances.get(accountKey(ownerId, kind)) ?? zeroUt;
}

/** What settlements alone moved into an account, or out of it. */
export function settledIn(book: Book, ownerId: string, kind: AccountKind): MicroUt {
  return book.settled.get(accountKey(ownerId, kind)) ?? zeroUt;
}

/** The book after a transfer, or null where it would leave an account other than issuance negative. */
export function post(book: Book, transfer: Transfer): Book | null {
  const balances = new Map(book.balances);
  const settled = new Map(book.settled);
  for (const { owner_id, kind, amount } of transfer.postings) {
    const key = accountKey(owner_id, kind);
    const balance = addUt(balances.get(key) ?? zeroUt, ut(amount));
    if (kind !== 'issuance' && balance < 0n) return null;
    balances.set(key, balance);
    if (transfer.kind === 'settle') settled.set(key, addUt(settled.get(key) ?? zeroUt, ut(amount)));
  }
  return { balances, settled };
}

/** Zero for every book that transfers made. */
export function sumOf(book: Book): MicroUt {
  return [...book.balances.values()].reduce(addUt, zeroUt);
}
