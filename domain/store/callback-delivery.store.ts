import type { CallbackAnswer, CallbackOutcome, JsonObject } from '../capability/callback.ts';
import { signingSecretsSql } from './callback-secret.store.ts';
import { notWaitingForDisk, type Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

/** What an attempt needs, and what earlier ones came to. */
export interface BegunAttempt {
  readonly callback_url: string;
  readonly input: JsonObject;
  readonly request_id: string;
  readonly expires_at: string;
  /** Null where an earlier attempt is final, the time is over, or nobody waits any more: no other is made. */
  readonly attempt: number | null;
  /** The earlier attempt that is final. */
  readonly earlier: { readonly delivery_id: string; readonly outcome: CallbackOutcome } | null;
  /** What the last attempt came to, where it came to anything. */
  readonly last_outcome: CallbackOutcome | null;
  /** The secrets that sign now, sealed, newest first. */
  readonly sealed: readonly Buffer[];
}

type BegunRow = Omit<BegunAttempt, 'expires_at' | 'sealed'> & {
  readonly expires_at: string | Date;
  readonly sealed: readonly string[];
};

const begin = prepare(
  'begin-attempt',
  `with later as materialized (${notWaitingForDisk}), call as (
       select i.callback_url, i.input, i.request_id, t.capability_id, t.buyer_user_id, t.status,
         t.delivery_deadline as expires_at
       from invocation i join transaction t on t.id = i.transaction_id where i.transaction_id = ?
     ), earlier as (
       select id as delivery_id, outcome from callback_delivery
       where transaction_id = ? and outcome in ('answered', 'accepted', 'refused') order by attempt limit 1
     ), begun as (
       insert into callback_delivery (id, capability_id, transaction_id, attempt, started_at)
       select ?, call.capability_id, ?, (select coalesce(max(attempt), 0) + 1 from callback_delivery where transaction_id = ?), ?
       from call where call.status = 'accepted' and call.expires_at > ? and not exists (select 1 from earlier)
       returning attempt
     )
     select call.callback_url, call.input, call.request_id, call.expires_at, (select attempt from begun), (select to_json(earlier) from earlier) as earlier,
       (select outcome from callback_delivery where transaction_id = ? order by attempt desc limit 1) as last_outcome,
       ${signingSecretsSql('call.capability_id')} as sealed
     from later, call`,
);
const end = prepare(
  'end-attempt',
  `with ended as (
       update callback_delivery set outcome = ?, reason = ?, http_status = ?, latency_ms = ?, result = ?::jsonb, ended_at = ?
       where id = ? and ended_at is null
     )
     select id from callback_delivery where id = ?`,
);

/**
 * Begins an attempt at the call of an invocation and records it, unless an earlier one has its final outcome already.
 * Null for a transaction that is no invocation. One round trip.
 */
export async function beginAttempt(
  em: Em,
  transactionId: string,
  deliveryId: string,
  at: Date,
): Promise<BegunAttempt | null> {
  const values = [transactionId, transactionId, deliveryId, transactionId, transactionId, at, at, transactionId, at];
  const [row] = await run<BegunRow>(em, begin, values);
  if (row === undefined) return null;
  const sealed = row.sealed.map((one) => Buffer.from(one, 'base64'));
  return { ...row, sealed, expires_at: new Date(row.expires_at).toISOString() };
}

/** Records a call that its owner tries out; begins anew one whose worker was lost. */
export async function beginTest(em: Em, deliveryId: string, capabilityId: string, at: Date): Promise<void> {
  await em.execute(
    `insert into callback_delivery (id, capability_id, attempt, started_at) values (?, ?, 1, ?)
     on conflict (id) do update set started_at = excluded.started_at where callback_delivery.ended_at is null`,
    [deliveryId, capabilityId, at],
  );
}

/** Records what came of an attempt. False, and nothing recorded, where its beginning was lost with the power. */
export async function endAttempt(em: Em, deliveryId: string, answer: CallbackAnswer, at: Date): Promise<boolean> {
  const begun = await run(em, end, [
    answer.outcome,
    answer.reason,
    answer.http_status,
    answer.latency_ms,
    answer.result === null ? null : JSON.stringify(answer.result),
    at,
    deliveryId,
    deliveryId,
  ]);
  return begun.length > 0;
}

/** Takes back an attempt that was begun and never made. */
export async function forgetAttempt(em: Em, deliveryId: string): Promise<void> {
  await em.execute(`delete from callback_delivery where id = ? and ended_at is null`, [deliveryId]);
}
