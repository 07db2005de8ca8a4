import { addUt, formatUt, negateUt, rateOfUt, subtractUt, ut, zeroUt, type MicroUt } from '../ut.ts';

/** Double entry: a transfer moves money between accounts by postings that sum to zero. */

export type AccountKind = 'available' | 'frozen' | 'issuance' | 'fees';

/** The owner of the platform's own accounts, issuance and fees. */
export const platformOwnerId = '00000000-0000-0000-0000-000000000000';

export interface Posting {
  readonly owner_id: string;
  readonly kind: AccountKind;
  /** Signed decimal string; never zero. */
  readonly amount: string;
}

export const transferKinds = ['credit', 'freeze', 'settle', 'unfreeze'] as const;
export type TransferKind = (typeof transferKinds)[number];

export interface Transfer {
  readonly kind: TransferKind;
  readonly reason: string;
  readonly postings: readonly Posting[];
}

interface Parties {
  readonly buyer_user_id: string;
  readonly seller_user_id: string;
}

/** Buyer's available → buyer's frozen. */
export function freezeTransfer(parties: Parties, amount: MicroUt, reason: string): Transfer[] {
  return transfer('freeze', reason, [
    [parties.buyer_user_id, 'available', negateUt(amount)],
    [parties.buyer_user_id, 'frozen', amount],
  ]);
}

/** Buyer's frozen → buyer's available. */
export function unfreezeTransfer(parties: Parties, amount: MicroUt, reason: string): Transfer[] {
  return transfer('unfreeze', reason, [
    [parties.buyer_user_id, 'frozen', negateUt(amount)],
    [parties.buyer_user_id, 'available', amount],
  ]);
}

/** Buyer's frozen → seller's available, less the fee, which goes to the platform. */
export function settleTransfer(parties: Parties, amount: MicroUt, feeRate: string, reason: string): Transfer[] {
  const fee = rateOfUt(amount, feeRate);
  return transfer('settle', reason, [
    [parties.buyer_user_id, 'frozen', negateUt(amount)],
    [parties.seller_user_id, 'available', subtractUt(amount, fee)],
    [platformOwnerId, 'fees', fee],
  ]);
}

/** Issuance → a user's available: the only way in which UT comes into being. */
export function creditTransfer(userId: string, amount: MicroUt, reason: string): Transfer[] {
  return transfer('credit', reason, [
    [platformOwnerId, 'issuance', negateUt(amount)],
    [userId, 'available', amount],
  ]);
}

/** Zero postings are left out; a transfer of nothing is no transfer. */
function transfer(kind: TransferKind, reason: string, lines: readonly [string, AccountKind, MicroUt][]): Transfer[] {
  if (lines.reduce((sum, [, , amount]) => addUt(sum, amount), zeroUt) !== 0n) {
    throw new RangeError(`the postings of a ${kind} do not sum to zero`);
  }
  const postings = lines
    .filter(([, , amount]) => amount !== 0n)
    .map(([owner_id, account, amount]) => ({ owner_id, kind: account, amount: formatUt(amount) }));
  return postings.length === 0 ? [] : [{ kind, reason, postings }];
}

/** What the postings of these transfers add to an account, in micro-UT. */
export function movedIn(transfers: readonly Transfer[], ownerId: string, kind: AccountKind): MicroUt {
  return transfers
    .flatMap((one) => one.postings)
    .filter((posting) => posting.owner_id === ownerId && posting.kind === kind)
    .reduce((sum, posting) => addUt(sum, ut(posting.amount)), zeroUt);
}
