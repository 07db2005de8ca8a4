import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

export interface Spend {
  readonly apiKeyId: string;
  readonly userId: string;
  readonly transactionId: string;
  /** The same for every retry of one request. */
  readonly request: string;
  /** Decimal string; null for what the user's pending transaction costs. */
  readonly amountUt: string | null;
}

/** `none`: nothing will be frozen, so nothing was taken. Amounts are decimal strings. */
export type SpendOutcome =
  | { readonly outcome: 'none' | 'reserved' }
  | {
      readonly outcome: 'limit_reached';
      readonly limit_ut: string;
      readonly spent_ut: string;
      readonly wait_sec: number;
    };

const reserve = prepare(
  'reserve-spend',
  'select outcome, limit_ut, spent_ut, wait_sec from reserve_api_key_spend(?, ?, ?, ?, ?::numeric)',
);

/**
 * Takes an amount out of what a key may spend today (UTC), once a transaction however often it is asked. Exact under
 * concurrency and across nodes, and committed when it returns. A key that has no limit is counted too: one that is set
 * during the day holds for what was spent before.
 */
export async function reserveSpend(
  em: Em,
  { apiKeyId, userId, transactionId, request, amountUt }: Spend,
): Promise<SpendOutcome> {
  const [row] = await run<SpendOutcome>(em, reserve, [apiKeyId, userId, transactionId, request, amountUt]);
  if (row === undefined) throw new Error('reserve_api_key_spend answered nothing');
  return row;
}

/** Gives back what a request took that froze nothing, unless another request for the same transaction may yet. */
export async function returnSpend(
  em: Em,
  { apiKeyId, transactionId, request }: Pick<Spend, 'apiKeyId' | 'transactionId' | 'request'>,
): Promise<void> {
  await em.execute('select return_api_key_spend(?, ?, ?)', [apiKeyId, transactionId, request]);
}

/** Forgets what was spent on days that are long over; at most `limit` rows a call. */
export async function forgetSpend(em: Em, keptDays: number, limit: number): Promise<void> {
  await em.execute(
    `delete from api_key_spend where (family_id, transaction_id) in (select family_id, transaction_id from api_key_spend
       where day < (now() at time zone 'UTC')::date - ?::integer order by day limit ?)`,
    [keptDays, limit],
  );
}
