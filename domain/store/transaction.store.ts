import { formatUt, ut } from '../ut.ts';
import type { TransactionState } from '../transaction/transaction.ts';
import { isoTimeOf } from './iso-time.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

const columns = `id, buyer_user_id, seller_user_id, capability_id, demand_id, task_id, skill_id, transaction_type, origin,
  context_id, price_ut, booked_hours, status, status_reason, auto_accept, change_request_count, result_payload, terms, step,
  deadline_at, frozen_at, accepted_at, delivered_at, confirmed_at, settled_at, disputed_at, acceptance_deadline,
  delivery_deadline, auto_confirm_at, created_at, updated_at`;

const one = prepare('transaction', `select ${columns} from transaction where id = ?`);
const invocation = prepare(
  'invocation',
  `select ${columns}, callback_url, request_hash,
       (select json_build_object('reason', d.reason, 'http_status', d.http_status) from callback_delivery d
        where d.transaction_id = t.id order by d.attempt desc limit 1) as last_attempt
     from transaction t join invocation i on i.transaction_id = t.id where t.id = ?`,
);

/** A row as the driver gives it: numeric as text, timestamps as text or Date. */
type Row = TransactionState & Readonly<Record<TimeColumn, string | Date | null>>;

const timeColumns = [
  'deadline_at',
  'frozen_at',
  'accepted_at',
  'delivered_at',
  'confirmed_at',
  'settled_at',
  'disputed_at',
  'acceptance_deadline',
  'delivery_deadline',
  'auto_confirm_at',
  'created_at',
  'updated_at',
] as const;
type TimeColumn = (typeof timeColumns)[number];

/** The whole state of a transaction, or null. One query. */
export async function findTransaction(em: Em, id: string): Promise<TransactionState | null> {
  const [row] = await run<Row>(em, one, [id]);
  return row === undefined ? null : fromRow(row);
}

/** An invocation as its caller asks for it: the transaction, the call, and the last attempt at it. */
export interface FoundInvocation {
  readonly state: TransactionState;
  readonly callback_url: string;
  readonly request_hash: string | null;
  readonly last_attempt: { readonly reason: string | null; readonly http_status: number | null } | null;
}

/** Null where no invocation has this id. One query. */
export async function findInvocation(em: Em, id: string): Promise<FoundInvocation | null> {
  const [row] = await run<Row & Omit<FoundInvocation, 'state'>>(em, invocation, [id]);
  if (row === undefined) return null;
  const { callback_url, request_hash, last_attempt, ...state } = row;
  return { state: fromRow(state), callback_url, request_hash, last_attempt };
}

export interface TransactionFilter {
  readonly userId: string;
  readonly role: 'buyer' | 'seller' | null;
  readonly status: string | null;
  readonly capabilityId: string | null;
  readonly contextId: string | null;
}

/** A page of a party's transactions, newest first, with the total. */
export async function listTransactions(
  em: Em,
  filter: TransactionFilter,
  offset: number,
  limit: number,
): Promise<{ items: TransactionState[]; total: number }> {
  const { where, values } = condition(filter);
  const page = `select ${columns} from transaction where ${where} order by created_at desc, id desc limit ? offset ?`;
  const rows = await em.execute<Row[]>(page, [...values, limit, offset]);
  const [count] = await em.execute<[{ total: string }]>(
    `select count(*) as total from transaction where ${where}`,
    values,
  );
  return { items: rows.map(fromRow), total: Number(count.total) };
}

export interface ChangeFilter {
  readonly userId: string;
  readonly statuses: readonly TransactionState['status'][] | null;
  readonly contextId: string | null;
  readonly changedSince: Date | null;
}

/**
 * A party's transactions, last changed first, after the one that ended the page before; with the total. One that changes
 * between two pages moves to the front, so it may be missed, and is never repeated.
 */
export async function listChangedTransactions(
  em: Em,
  filter: ChangeFilter,
  after: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<{ items: TransactionState[]; total: number }> {
  const parts: [string, ...unknown[]][] = [['(buyer_user_id = ? or seller_user_id = ?)', filter.userId, filter.userId]];
  if (filter.statuses !== null) parts.push([`status = any(string_to_array(?, ','))`, filter.statuses.join(',')]);
  if (filter.contextId !== null) parts.push(['context_id = ?', filter.contextId]);
  if (filter.changedSince !== null) parts.push(['updated_at >= ?', filter.changedSince]);
  const where = parts.map(([sql]) => sql).join(' and ');
  const values = parts.flatMap(([, ...rest]) => rest);
  const [older, cursor] = after === null ? ['', []] : ['and (updated_at, id) < (?, ?)', [after.at, after.id]];
  const rows = await em.execute<Row[]>(
    `select ${columns} from transaction where ${where} ${older} order by updated_at desc, id desc limit ?`,
    [...values, ...cursor, limit],
  );
  const [count] = await em.execute<[{ total: string }]>(
    `select count(*) as total from transaction where ${where}`,
    values,
  );
  return { items: rows.map(fromRow), total: Number(count.total) };
}

function condition(filter: TransactionFilter): { where: string; values: string[] } {
  const parts: [string, ...string[]][] = [];
  if (filter.role === null) parts.push(['(buyer_user_id = ? or seller_user_id = ?)', filter.userId, filter.userId]);
  else parts.push([filter.role === 'buyer' ? 'buyer_user_id = ?' : 'seller_user_id = ?', filter.userId]);
  if (filter.status !== null) parts.push(['status = ?', filter.status]);
  if (filter.capabilityId !== null) parts.push(['capability_id = ?', filter.capabilityId]);
  if (filter.contextId !== null) parts.push(['context_id = ?', filter.contextId]);
  return { where: parts.map(([sql]) => sql).join(' and '), values: parts.flatMap(([, ...rest]) => rest) };
}

/** Transactions whose deadline has passed by more than the grace, oldest first: their workflows may be lost. */
export async function overdueTransactions(em: Em, before: Date, limit: number): Promise<TransactionState[]> {
  const sql = `select ${columns} from transaction where deadline_at < ? order by deadline_at limit ?`;
  return (await em.execute<Row[]>(sql, [before, limit])).map(fromRow);
}

function fromRow(row: Row): TransactionState {
  const times = Object.fromEntries(timeColumns.map((column) => [column, isoTimeOf(row[column])]));
  return { ...row, ...times, price_ut: formatUt(ut(row.price_ut)) };
}
