import {
  disabledEventType,
  type AttemptOutcome,
  type AttemptReason,
  type DeliveryStatus,
  type DisabledReason,
  type WebhookProtocol,
} from '../webhook/webhook.ts';
import { appendEvent } from './event.store.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';
import { webhookSecretsSql } from './webhook-secret.store.ts';
import { disableWebhook } from './webhook.store.ts';

/** What an attempt needs. */
export interface DueDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly user_id: string;
  readonly transaction_id: string | null;
  readonly protocol: WebhookProtocol;
  readonly url: string;
  readonly event_seq: string | null;
  readonly event_type: string;
  readonly created_at: Date;
  readonly run: number;
  /** Counts the attempts of all runs, from 1. */
  readonly attempt: number;
  /** The failed attempts of this run before this one. */
  readonly failure_count: number;
  /** The secrets that sign now, sealed, newest first. */
  readonly sealed: readonly Buffer[];
  readonly sealed_credential: Buffer | null;
}

/** `due`: an attempt was begun. `waiting`: the next one is due later. Otherwise the run is over. */
export type BegunDelivery =
  | { readonly kind: 'due'; readonly delivery: DueDelivery }
  | { readonly kind: 'waiting'; readonly until: Date }
  | { readonly kind: 'over'; readonly status: DeliveryStatus };

/** What came of one attempt. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly reason: AttemptReason | null;
  readonly http_status: number | null;
  readonly latency_ms: number;
}

type BeginRow = Omit<DueDelivery, 'attempt' | 'created_at' | 'sealed' | 'sealed_credential'> & {
  readonly status: DeliveryStatus;
  readonly is_cancelled: boolean;
  readonly is_held: boolean;
  readonly created_at: string | Date;
  readonly next_attempt_at: string | Date | null;
  readonly attempt: number | null;
  readonly sealed: readonly string[];
  readonly sealed_credential: string | null;
};

// Of the four statements at most one changes the delivery. A test is sent also where the webhook is disabled. Of a task the
// first attempts are made in the order of its events: one is held while an earlier one has not had its first.
const begin = prepare(
  'begin-webhook-attempt',
  `with found as materialized (
       select d.id, d.webhook_id, d.event_seq, d.event_type, d.run, d.status, d.next_attempt_at, d.failure_count,
         d.created_at, w.user_id, w.transaction_id, w.protocol, w.url, w.sealed_credential,
         w.deleted_at is not null or (w.status = 'disabled' and d.event_seq is not null) as is_off,
         w.transaction_id is not null and d.failure_count = 0 and exists (select 1 from webhook_delivery o
           where o.webhook_id = d.webhook_id and o.status = 'pending' and o.failure_count = 0 and o.run = 1
             and o.event_seq < d.event_seq) as is_held
       from webhook_delivery d join webhook w on w.id = d.webhook_id where d.id = ? and d.run = ? for no key update of d
     ), cancelled as (
       update webhook_delivery d set status = 'cancelled', ended_at = ?, next_attempt_at = null
       from found f where d.id = f.id and f.status = 'pending' and f.is_off returning 1
     ), begun as (
       update webhook_delivery d set attempt_count = d.attempt_count + 1
       from found f where d.id = f.id and f.status = 'pending' and not f.is_off and not f.is_held and f.next_attempt_at <= ?
       returning d.attempt_count
     ), noted as (
       insert into webhook_attempt (delivery_id, number, started_at) select f.id, b.attempt_count, ? from found f, begun b
     )
     select id, webhook_id, user_id, transaction_id, protocol, url, event_seq::text, event_type, run, status, next_attempt_at,
       failure_count, (select attempt_count from begun) as attempt, is_held, created_at, exists (select 1 from cancelled) as is_cancelled,
       encode(sealed_credential, 'base64') as sealed_credential, ${webhookSecretsSql('found.webhook_id')} as sealed
     from found`,
);

/**
 * Begins an attempt at a delivery and records it, where one is due and the run is the present one. Ends the run where the
 * webhook is disabled or deleted. One round trip.
 */
export async function beginWebhookAttempt(em: Em, id: string, runNumber: number, at: Date): Promise<BegunDelivery> {
  const [row] = await run<BeginRow>(em, begin, [id, runNumber, at, at, at, at]);
  // Forgotten, or sent again by its owner: a newer run has the word.
  if (row === undefined || row.is_cancelled) return { kind: 'over', status: 'cancelled' };
  const {
    status,
    is_cancelled: _,
    is_held,
    created_at,
    next_attempt_at,
    attempt,
    sealed,
    sealed_credential,
    ...rest
  } = row;
  if (status !== 'pending' || next_attempt_at === null) return { kind: 'over', status };
  const createdAt = new Date(created_at);
  if (attempt === null && is_held) return { kind: 'waiting', until: heldUntil(createdAt, at) };
  if (attempt === null) return { kind: 'waiting', until: new Date(next_attempt_at) };
  const opened = {
    sealed: sealed.map((one) => Buffer.from(one, 'base64')),
    sealed_credential: sealed_credential === null ? null : Buffer.from(sealed_credential, 'base64'),
  };
  return { kind: 'due', delivery: { ...rest, ...opened, created_at: createdAt, attempt } };
}

const bodyOf = prepare('webhook-delivery-body', 'select body from webhook_delivery where id = ?');

/** What is sent. Apart from the rest: it may be large, and is for nothing where the receiver is busy. */
export async function findDeliveryBody(em: Em, id: string): Promise<string> {
  const [row] = await run<{ body: string }>(em, bodyOf, [id]);
  if (row === undefined) throw new Error(`delivery ${id} is not there any more`);
  return row.body;
}

/** The longer it is held, the less often it looks. */
function heldUntil(createdAt: Date, at: Date): Date {
  const ageMs = at.getTime() - createdAt.getTime();
  return new Date(at.getTime() + Math.min(2_000, Math.max(100, ageMs / 2)));
}

/** Takes back an attempt that was begun and never made; the delivery is due again at `nextAt`. Again: the same. */
export async function forgetWebhookAttempt(em: Em, due: DueDelivery, nextAt: Date): Promise<void> {
  const { id, run: runNumber, attempt } = due;
  await em.transactional(async (inner) => {
    await inner.execute('delete from webhook_attempt where delivery_id = ? and number = ?', [id, attempt]);
    await inner.execute(
      `update webhook_delivery set attempt_count = attempt_count - 1, next_attempt_at = ?
       where id = ? and run = ? and attempt_count = ? and status = 'pending'`,
      [nextAt, id, runNumber, attempt],
    );
  });
}

/** The end of an attempt, with what its delivery becomes of it. */
export interface EndedAttempt {
  readonly result: AttemptResult;
  readonly at: Date;
  /** When the next attempt is due; null where there is none. */
  readonly nextAt: Date | null;
  /** A webhook that had no success since then is disabled. */
  readonly disableBefore: Date;
}

/**
 * Records what came of an attempt, and what the delivery and its webhook become of it: all or nothing, and once. A webhook
 * that is gone or has failed for too long is disabled, which its owner is told by an event. Answers the delivery's status.
 */
export async function endWebhookAttempt(em: Em, due: DueDelivery, ended: EndedAttempt): Promise<DeliveryStatus> {
  return await em.transactional(async (inner) => {
    const { result, at } = ended;
    if (!(await endAttempt(inner, due, result))) return await statusNow(inner, due);
    // The webhook before its deliveries, always: two that end at the same moment wait for one another in one order.
    await noteOnWebhook(inner, due, result, at);
    const next = result.outcome === 'failed' ? ended.nextAt : null;
    const status = statusOf(result.outcome, next);
    const rows = await inner.execute<{ status: DeliveryStatus; failing_since: string | Date | null }[]>(
      `update webhook_delivery set status = ?, next_attempt_at = ?, ended_at = ?,
         failure_count = failure_count + ?, failing_since = coalesce(failing_since, ?)
       where id = ? and run = ? and attempt_count = ? and (status = 'pending' or ? = 'delivered')
       returning status, failing_since`,
      [
        status,
        next,
        next === null ? at : null,
        isFailure(result),
        isFailure(result) === 1 ? at : null,
        due.id,
        due.run,
        due.attempt,
        result.outcome,
      ],
    );
    // Cancelled meanwhile and not arrived, or another attempt has begun: what it comes to is told there.
    const [row] = rows;
    if (row === undefined) return 'cancelled';
    const reason = await reasonToDisable(inner, due, ended, row.failing_since);
    if (reason !== null) await disableAndTell(inner, due.webhook_id, reason, at);
    return reason === null || status !== 'pending' ? status : 'cancelled';
  });
}

/** False where it has ended before, which happens when the answer of a first try was lost. */
async function endAttempt(em: Em, { id, attempt }: DueDelivery, result: AttemptResult): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update webhook_attempt set outcome = ?, reason = ?, http_status = ?, latency_ms = ?
     where delivery_id = ? and number = ? and outcome is null returning 1`,
    [result.outcome, result.reason, result.http_status, result.latency_ms, id, attempt],
  );
  return rows.length > 0;
}

/** Of the run that an attempt belongs to; `cancelled` where there is another by now, or none. */
async function statusNow(em: Em, { id, run: runNumber }: DueDelivery): Promise<DeliveryStatus> {
  const [row] = await em.execute<{ status: DeliveryStatus }[]>(
    'select status from webhook_delivery where id = ? and run = ?',
    [id, runNumber],
  );
  return row?.status ?? 'cancelled';
}

function isFailure({ outcome }: AttemptResult): 0 | 1 {
  return outcome === 'delivered' ? 0 : 1;
}

function statusOf(outcome: AttemptOutcome, next: Date | null): DeliveryStatus {
  if (outcome === 'delivered') return 'delivered';
  return next === null ? 'failed' : 'pending';
}

/** Locks the row where it is written to. A test that fails says nothing of how long a webhook has failed. */
async function noteOnWebhook(em: Em, due: DueDelivery, result: AttemptResult, at: Date): Promise<void> {
  if (result.outcome === 'delivered')
    await em.execute('update webhook set failing_since = null where id = ? and failing_since is not null', [
      due.webhook_id,
    ]);
  else if (due.event_seq !== null || result.outcome === 'gone')
    await em.execute(`update webhook set failing_since = coalesce(failing_since, ?) where id = ?`, [
      at,
      due.webhook_id,
    ]);
}

/**
 * A webhook that answers 410, one whose delivery has used up its attempts while nothing else arrived, and one to which
 * nothing arrived for too long.
 */
async function reasonToDisable(
  em: Em,
  due: DueDelivery,
  { result, nextAt, disableBefore }: EndedAttempt,
  failingSince: string | Date | null,
): Promise<DisabledReason | null> {
  if (result.outcome === 'gone') return 'gone';
  if (result.outcome === 'delivered' || due.event_seq === null) return null;
  const isUsedUp = nextAt === null && failingSince !== null;
  const since = new Date(Math.max(disableBefore.getTime(), isUsedUp ? new Date(failingSince).getTime() : 0));
  const rows = await em.execute<unknown[]>('select 1 from webhook where id = ? and failing_since <= ?', [
    due.webhook_id,
    since,
  ]);
  return rows.length > 0 ? 'failing' : null;
}

/** Disables a webhook and tells its owner by an event, which other webhooks of theirs get too. */
export async function disableAndTell(em: Em, webhookId: string, reason: DisabledReason, at: Date): Promise<void> {
  const webhook = await disableWebhook(em, webhookId, reason, at);
  if (webhook === null) return;
  const { url, transaction_id, disabled_at, failing_since } = webhook;
  const data = { webhook_id: webhookId, url, transaction_id, reason, disabled_at, failing_since };
  const audience = [webhook.user_id] as const;
  await appendEvent(em, { type: disabledEventType, actorType: 'system', actorUserId: null, audience, data, at });
}
