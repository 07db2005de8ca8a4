import type { AttemptOutcome, AttemptReason, DeliveryStatus } from '../webhook/webhook.ts';
import { isoTimeOf } from './iso-time.ts';
import type { Em } from './orm.ts';

/** A delivery as the webhook's owner sees it. */
export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly webhook_id: string;
  /** Null for a test. */
  readonly event_seq: string | null;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** What the last attempt came to; null before the first, and while one is under way. */
  readonly last_http_status: number | null;
  readonly last_latency_ms: number | null;
}

/** One attempt. `outcome` is null while it is under way, and for good where its worker was lost. */
export interface WebhookAttemptRecord {
  readonly number: number;
  readonly outcome: AttemptOutcome | null;
  readonly reason: AttemptReason | null;
  readonly http_status: number | null;
  readonly latency_ms: number | null;
  readonly started_at: string;
}

export interface NewTestDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly body: string;
  readonly at: Date;
}

/** Of the attempts of a delivery that was sent again and again, the last ones are enough. */
const attemptsShown = 100;

const columns = `d.id, d.webhook_id, d.event_seq::text, d.event_type, d.status, d.attempt_count, d.next_attempt_at, d.created_at,
  d.ended_at, a.http_status as last_http_status, a.latency_ms as last_latency_ms`;
const from = `from webhook_delivery d left join webhook_attempt a on a.delivery_id = d.id and a.number = d.attempt_count`;

/** Wakes the relay when the SQL transaction commits; no event goes with it. */
const wakeSql = `select pg_notify('event', 'webhook')`;

/** One page of a webhook's deliveries, newest first, and how many there are. */
export async function listWebhookDeliveries(
  em: Em,
  webhookId: string,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  { status, event_type }: { readonly status?: DeliveryStatus | undefined; readonly event_type?: string | undefined },
): Promise<[WebhookDeliveryRecord[], number]> {
  const given = [
    ['d.webhook_id = ?', webhookId],
    ['d.status = ?', status],
    ['d.event_type = ?', event_type],
  ].filter(([, value]) => value !== undefined);
  const where = given.map(([condition]) => condition).join(' and ');
  const values = given.map(([, value]) => value);
  const [counted] = await em.execute<[{ total: number }]>(
    `select count(*)::integer as total from webhook_delivery d where ${where}`,
    values,
  );
  const rows = await em.execute<WebhookDeliveryRecord[]>(
    `select ${columns} ${from} where ${where} order by d.created_at desc, d.event_seq desc, d.id desc limit ? offset ?`,
    [...values, page_size, (page - 1) * page_size],
  );
  return [rows.map(toRecord), counted.total];
}

/** One delivery of a webhook, with what is sent; null where the webhook has none such. */
export async function findWebhookDelivery(
  em: Em,
  webhookId: string,
  id: string,
): Promise<(WebhookDeliveryRecord & { readonly body: string }) | null> {
  const [row] = await em.execute<(WebhookDeliveryRecord & { body: string })[]>(
    `select ${columns}, d.body ${from} where d.webhook_id = ? and d.id = ?`,
    [webhookId, id],
  );
  return row === undefined ? null : { ...toRecord(row), body: row.body };
}

/** The last attempts at a delivery, in their order. */
export async function listWebhookAttempts(em: Em, deliveryId: string): Promise<WebhookAttemptRecord[]> {
  const rows = await em.execute<WebhookAttemptRecord[]>(
    `select number, outcome, reason, http_status, latency_ms, started_at from webhook_attempt
     where delivery_id = ? order by number desc limit ?`,
    [deliveryId, attemptsShown],
  );
  return rows.toReversed().map((row) => ({ ...row, started_at: new Date(row.started_at).toISOString() }));
}

/** Writes the delivery of a test, which the relay then starts. The same id again changes nothing. */
export async function insertTestDelivery(
  em: Em,
  { id, webhookId, eventType, body, at }: NewTestDelivery,
): Promise<void> {
  await em.execute(
    `insert into webhook_delivery (id, webhook_id, event_type, body, status, next_attempt_at, created_at)
     values (?, ?, ?, ?, 'pending', ?, ?) on conflict (id) do nothing`,
    [id, webhookId, eventType, body, at, at],
  );
  await em.execute(wakeSql);
}

/** Begins another run of a delivery that has ended. False where it has not. */
export async function resendDelivery(em: Em, id: string, at: Date): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update webhook_delivery set status = 'pending', run = run + 1, failure_count = 0, failing_since = null,
       next_attempt_at = ?, started_at = null, ended_at = null where id = ? and status <> 'pending' returning 1`,
    [at, id],
  );
  if (rows.length > 0) await em.execute(wakeSql);
  return rows.length > 0;
}

/**
 * Deletes deliveries that were made before this time and have ended, with their attempts, and webhooks that were deleted
 * and have none left. Answers how many rows went.
 */
export async function forgetWebhookDeliveries(em: Em, before: Date, limit: number): Promise<number> {
  const old = await em.execute<unknown[]>(
    `delete from webhook_delivery where id in (select id from webhook_delivery where created_at < ? and status <> 'pending'
       order by created_at limit ? for update skip locked) returning 1`,
    [before, limit],
  );
  const orphaned = await em.execute<unknown[]>(
    `delete from webhook_delivery where id in (select d.id from webhook w join webhook_delivery d on d.webhook_id = w.id
       where w.deleted_at is not null limit ? for update of d skip locked) returning 1`,
    [limit],
  );
  await em.execute(
    `delete from webhook w where deleted_at is not null
       and not exists (select 1 from webhook_delivery d where d.webhook_id = w.id)`,
  );
  return old.length + orphaned.length;
}

function toRecord(row: WebhookDeliveryRecord): WebhookDeliveryRecord {
  const { id, webhook_id, event_seq, event_type, status, attempt_count, last_http_status, last_latency_ms } = row;
  return {
    id,
    webhook_id,
    event_seq,
    event_type,
    status,
    attempt_count,
    next_attempt_at: isoTimeOf(row.next_attempt_at),
    created_at: new Date(row.created_at).toISOString(),
    ended_at: isoTimeOf(row.ended_at),
    last_http_status,
    last_latency_ms,
  };
}
