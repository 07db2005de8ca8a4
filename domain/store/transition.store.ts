import type { RequestTrace } from '../audit/audit-entry.ts';
import type { JsonObject } from '../capability/callback.ts';
import { derivedId } from '../identity/derived-id.ts';
import { toRecord } from '../transaction/transaction.ts';
import type { Transition } from '../transaction/transition.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

const apply = prepare('apply-transition', 'select apply_transition(?::jsonb) as outcome');

/** SQLSTATEs that the function apply_transition raises; see the migration. */
export const insufficientBalanceState = 'MKT01';
export const keyReusedState = 'MKT02';
export const dailyLimitState = 'MKT04';
export const rateLimitState = 'MKT05';

interface AnsweredRequest {
  readonly user_id: string;
  readonly key: string;
  readonly request_hash: string;
  readonly http_status: number;
}

interface RecordedCall {
  readonly callback_url: string;
  readonly input: JsonObject;
  readonly request_id: string;
  readonly request_hash: string | null;
}

/** What is recorded in the same statement: the stored answer, the call of an invocation, the line in the audit trail. */
export interface Along {
  readonly answers: AnsweredRequest | null;
  readonly invocation: RecordedCall | null;
  readonly request: RequestTrace | null;
}
export const alone: Along = { answers: null, invocation: null, request: null };

/**
 * `already_applied`: an earlier try of the same step by the same actor was recorded. `superseded`: the row is at or past
 * the step by something else. Both move nothing.
 */
export type ApplyOutcome = 'applied' | 'already_applied' | 'superseded';

/**
 * Records one step in one statement: row, money, events and the stored answer. Ids come from transaction and step, so no
 * step happens twice. Raises the SQLSTATEs above.
 */
export async function applyTransition(
  em: Em,
  { next, transfers, events, result_delivery_id }: Transition,
  { answers, invocation, request }: Along,
): Promise<ApplyOutcome> {
  const document = {
    state: next,
    events,
    result_delivery_id,
    invocation,
    request,
    idempotency: answers,
    answer: answers === null ? null : JSON.stringify(toRecord(next)),
    transfers: transfers.map((transfer) => ({
      ...transfer,
      id: derivedId('transfer', next.id, String(next.step), transfer.kind),
      transaction_id: next.id,
      created_by: events[0]?.actor_user_id ?? null,
      created_at: next.updated_at,
    })),
  };
  const [row] = await run<{ outcome: ApplyOutcome }>(em, apply, [JSON.stringify(document)]);
  if (row === undefined) throw new Error('apply_transition answered nothing');
  return row.outcome;
}
