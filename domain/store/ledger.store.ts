import { creditTransfer } from '../ledger/transfer.ts';
import { addUt, formatUt, ut } from '../ut.ts';
import { ledgerProblemsSql } from './ledger-check.ts';
import type { Em } from './orm.ts';

export interface Credit {
  readonly transferId: string;
  readonly userId: string;
  readonly amountUt: string;
  readonly reason: string;
  /** The administrator; null where the platform itself credits. */
  readonly createdBy: string | null;
  readonly at: Date;
}

/** Credits a user, whose accounts are open, from issuance; at most once per transfer id. */
export async function creditUser(em: Em, credit: Credit): Promise<'posted' | 'already_posted'> {
  const [transfer] = creditTransfer(credit.userId, ut(credit.amountUt), credit.reason);
  if (transfer === undefined) throw new RangeError('a credit of nothing is no credit');
  const record = {
    ...transfer,
    id: credit.transferId,
    transaction_id: null,
    created_by: credit.createdBy,
    created_at: credit.at.toISOString(),
  };
  const sql = `select post_transfer(?::jsonb) as outcome`;
  const [row] = await em.execute<[{ outcome: string }]>(sql, [JSON.stringify(record)]);
  if (row.outcome !== 'posted' && row.outcome !== 'already_posted') {
    throw new Error(`a credit answered ${row.outcome}`);
  }
  return row.outcome;
}

/** The overview of a user's money; amounts in canonical form. */
export interface Wallet {
  readonly user_id: string;
  readonly currency: 'UT';
  readonly available_ut: string;
  readonly frozen_ut: string;
  readonly total_ut: string;
  readonly earned_ut: string;
  readonly spent_ut: string;
  readonly updated_at: string;
}

interface WalletRow {
  readonly available: string;
  readonly frozen: string;
  readonly earned: string;
  readonly spent: string;
  readonly updated_at: string;
}

/** Null for an unknown user; one who never had money has an empty wallet. */
export async function walletOf(em: Em, userId: string): Promise<Wallet | null> {
  const [row] = await em.execute<WalletRow[]>(
    `select coalesce(a.balance, 0)::text as available, coalesce(f.balance, 0)::text as frozen,
       coalesce(a.settled, 0)::text as earned, (-coalesce(f.settled, 0))::text as spent,
       greatest(u.created_at, a.updated_at, f.updated_at)::text as updated_at
     from "user" u
     left join account a on a.owner_id = u.id and a.kind = 'available'
     left join account f on f.owner_id = u.id and f.kind = 'frozen'
     where u.id = ?`,
    [userId],
  );
  if (row === undefined) return null;
  return {
    user_id: userId,
    currency: 'UT',
    available_ut: formatUt(ut(row.available)),
    frozen_ut: formatUt(ut(row.frozen)),
    total_ut: formatUt(addUt(ut(row.available), ut(row.frozen))),
    earned_ut: formatUt(ut(row.earned)),
    spent_ut: formatUt(ut(row.spent)),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** Whether the books hold, and what does not: at most 100 problems, each a sentence. */
export interface LedgerCheck {
  readonly sound: boolean;
  readonly problems: string[];
}

const maxProblems = 100;

/** Checks every balance against its postings, and every posting against its transaction. */
export async function checkLedger(em: Em): Promise<LedgerCheck> {
  const rows = await em.execute<{ problem: string }[]>(ledgerProblemsSql(maxProblems));
  return { sound: rows.length === 0, problems: rows.map((row) => row.problem) };
}
