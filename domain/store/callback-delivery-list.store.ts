import type { CallbackOutcome, CallbackReason, JsonObject } from '../capability/callback.ts';
import type { Em } from './orm.ts';

/** One attempt at a call, as its owner sees it. The result is the buyer's and stays out. */
export interface DeliveryRecord {
  readonly id: string;
  readonly capability_id: string;
  /** Null for a test. */
  readonly transaction_id: string | null;
  readonly test: boolean;
  /** Counts the calls of one invocation, from 1. */
  readonly attempt: number;
  /** Null while the call is under way, and for good where its worker was lost. */
  readonly outcome: CallbackOutcome | null;
  readonly reason: CallbackReason | null;
  readonly http_status: number | null;
  readonly latency_ms: number | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** What a list of attempts may be narrowed by. */
export interface DeliveryFilters {
  readonly outcome?: CallbackOutcome | undefined;
  readonly transaction_id?: string | undefined;
  readonly test?: boolean | undefined;
}

/** What came of a test, with the seller's answer. */
export type TestedDelivery = Pick<DeliveryRecord, 'outcome' | 'reason' | 'http_status' | 'latency_ms'> & {
  readonly result: JsonObject | null;
};

/** One page of the attempts at a capability's calls, newest first, and how many there are. */
export async function listDeliveries(
  em: Em,
  capabilityId: string,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  filters: DeliveryFilters,
): Promise<[DeliveryRecord[], number]> {
  const { sql, values } = whereOf(capabilityId, filters);
  const [counted] = await em.execute<[{ total: number }]>(`select count(*)::integer as total ${sql}`, values);
  const rows = await em.execute<DeliveryRecord[]>(
    `select id, capability_id, transaction_id, transaction_id is null as test, attempt, outcome, reason, http_status,
       latency_ms, started_at, ended_at ${sql} order by started_at desc, id desc limit ? offset ?`,
    [...values, page_size, (page - 1) * page_size],
  );
  return [rows.map(toRecord), counted.total];
}

/** What came of the test with this id; null where it was never begun, or taken back before the call was made. */
export async function findTestedDelivery(em: Em, id: string): Promise<TestedDelivery | null> {
  const [row] = await em.execute<TestedDelivery[]>(
    `select outcome, reason, http_status, latency_ms, result from callback_delivery
     where id = ? and transaction_id is null`,
    [id],
  );
  return row ?? null;
}

function whereOf(capabilityId: string, { outcome, transaction_id, test }: DeliveryFilters) {
  const conditions = [
    ['capability_id = ?', capabilityId],
    ['outcome = ?', outcome],
    ['transaction_id = ?', transaction_id],
    ['(transaction_id is null) = ?', test],
  ] as const;
  const given = conditions.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  return {
    sql: `from callback_delivery where ${given.map((one) => one.condition).join(' and ')}`,
    values: given.map((one) => one.value),
  };
}

function toRecord(row: DeliveryRecord): DeliveryRecord {
  return {
    ...row,
    started_at: new Date(row.started_at).toISOString(),
    ended_at: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
  };
}
