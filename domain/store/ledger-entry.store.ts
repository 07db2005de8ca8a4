import type { AccountKind, TransferKind } from '../ledger/transfer.ts';
import { formatUt, ut } from '../ut.ts';
import type { Em } from './orm.ts';

/** What a wallet's statement may be narrowed by. */
export interface EntryFilters {
  readonly kind?: TransferKind | undefined;
  readonly account?: WalletAccount | undefined;
  readonly transaction_id?: string | undefined;
}

/** The accounts that belong to a user. */
export type WalletAccount = Extract<AccountKind, 'available' | 'frozen'>;
export const walletAccounts = ['available', 'frozen'] as const satisfies readonly WalletAccount[];

/** One line of the statement. `amount_ut` is signed. */
export interface WalletEntry {
  readonly id: string;
  readonly transfer_id: string;
  readonly kind: TransferKind;
  readonly account: WalletAccount;
  readonly amount_ut: string;
  readonly balance_after_ut: string;
  readonly transaction_id: string | null;
  readonly reason: string;
  readonly created_at: string;
}

/** One page of a user's statement, newest first, and how many entries there are. */
export async function entriesOf(
  em: Em,
  userId: string,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  filters: EntryFilters,
): Promise<[WalletEntry[], number]> {
  const { sql, values } = whereOf(userId, filters);
  const [counted] = await em.execute<[{ total: number }]>(`select count(*)::integer as total ${sql}`, values);
  const rows = await em.execute<WalletEntry[]>(
    `select p.id::text, p.transfer_id, t.kind, a.kind as account, p.amount::text as amount_ut,
       p.balance_after::text as balance_after_ut, t.transaction_id, t.reason, t.created_at::text
     ${sql} order by p.id desc limit ? offset ?`,
    [...values, page_size, (page - 1) * page_size],
  );
  return [rows.map(toEntry), counted.total];
}

function whereOf(userId: string, filters: EntryFilters): { sql: string; values: string[] } {
  const conditions = [
    ['a.owner_id = ?', userId],
    ['t.kind = ?', filters.kind],
    ['a.kind = ?', filters.account],
    ['t.transaction_id = ?', filters.transaction_id],
  ] as const;
  const given = conditions.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  return {
    sql: `from posting p join account a on a.id = p.account_id join transfer t on t.id = p.transfer_id
          where ${given.map((one) => one.condition).join(' and ')}`,
    values: given.map((one) => one.value),
  };
}

function toEntry(row: WalletEntry): WalletEntry {
  return {
    ...row,
    amount_ut: formatUt(ut(row.amount_ut)),
    balance_after_ut: formatUt(ut(row.balance_after_ut)),
    created_at: new Date(row.created_at).toISOString(),
  };
}
