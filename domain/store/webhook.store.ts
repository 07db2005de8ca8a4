import type { DisabledReason, WebhookProtocol, WebhookStatus, WebhookSubject } from '../webhook/webhook.ts';
import { isoTimeOf } from './iso-time.ts';
import type { Em } from './orm.ts';

/** A webhook as its owner sees it. What is sealed is never shown. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  readonly disabled_at: string | null;
  readonly disabled_reason: DisabledReason | null;
  readonly failing_since: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The whole row, but for what is sealed. */
export interface WebhookRow extends WebhookRecord, WebhookSubject {
  readonly has_credential: boolean;
}

/** A webhook that is not written yet. Those of agent protocols name a transaction, and a `configId` of the client's. */
export interface NewWebhook {
  readonly id: string;
  readonly userId: string;
  /** The key that made it; the webhook ends with the grant of the key's platform. Null for a human. */
  readonly apiKeyId: string | null;
  readonly protocol: WebhookProtocol;
  readonly transactionId: string | null;
  readonly configId: string | null;
  readonly url: string;
  /** Empty: all. */
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  /** Sealed for `webhookCredentialPurpose(id)`. */
  readonly sealedCredential: Buffer | null;
  readonly protocolData: Readonly<Record<string, unknown>> | null;
  /** Every event up to here had happened before; those after it are delivered. */
  readonly settledSeq: bigint;
  readonly at: Date;
}

/** What an owner may change; what is absent stays. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly event_types?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
}

/** Which webhooks of a user: the subscriptions to everything, or what an agent protocol has for one transaction. */
export interface WebhookScope {
  readonly userId: string;
  readonly transactionId: string | null;
}

const columns = `id, user_id, protocol, transaction_id, config_id, protocol_data, url, event_types, description, status,
  disabled_at, disabled_reason, failing_since, sealed_credential is not null as has_credential, created_at, updated_at`;
const scopeSql = 'user_id = ? and transaction_id is not distinct from ?::uuid and deleted_at is null';

/** What the credential of an agent protocol is sealed for: the bytes of one webhook open for no other. */
export function webhookCredentialPurpose(webhookId: string): string {
  return `webhook-credential/${webhookId}`;
}

/**
 * Writes a webhook, within a SQL transaction; says why where nothing is written. `most` a scope holds also under
 * concurrency. It gets what commits from now on; of the milliseconds before it may get what the caller's `settledSeq` did
 * not reach yet.
 */
export async function insertWebhook(
  em: Em,
  webhook: NewWebhook,
  most: number,
): Promise<'written' | 'limit_reached' | 'exists' | 'grant_ended'> {
  if (!(await lockGrantOfKey(em, webhook.apiKeyId, webhook.userId))) return 'grant_ended';
  await lockWebhooksOf(em, webhook.userId);
  return await insertLockedWebhook(em, webhook, most);
}

/** Until the end of the SQL transaction nobody else writes a new webhook of this user. */
export async function lockWebhooksOf(em: Em, userId: string): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('webhook/' || ?, 0))`, [userId]);
}

/** The same as `insertWebhook`, for a caller that holds the locks of the grant and of the user's webhooks, taken in this order. */
export async function insertLockedWebhook(
  em: Em,
  webhook: NewWebhook,
  most: number,
): Promise<'written' | 'limit_reached' | 'exists'> {
  const { id, userId, transactionId } = webhook;
  const counted = await em.execute<[{ count: number }]>(
    `select count(*)::integer as count from webhook where ${scopeSql}`,
    [userId, transactionId],
  );
  if (counted[0].count >= most) return 'limit_reached';
  const rows = await em.execute<unknown[]>(
    `insert into webhook (id, user_id, platform_id, protocol, transaction_id, config_id, url, event_types, description,
       sealed_credential, protocol_data, after_seq, status, created_at, updated_at)
     select ?, ?, (select platform_id from api_key where id = ?), ?, ?, ?, ?, array(select jsonb_array_elements_text(?::jsonb)), ?,
       ?, ?::jsonb, greatest(seq, ?), 'enabled', ?, ? from webhook_cursor
     on conflict (id) do nothing returning 1`,
    [
      id,
      userId,
      webhook.apiKeyId,
      webhook.protocol,
      transactionId,
      webhook.configId,
      webhook.url,
      JSON.stringify(webhook.eventTypes),
      webhook.description,
      webhook.sealedCredential,
      webhook.protocolData === null ? null : JSON.stringify(webhook.protocolData),
      webhook.settledSeq.toString(),
      webhook.at,
      webhook.at,
    ],
  );
  return rows.length > 0 ? 'written' : 'exists';
}

/** One page of a scope, newest first, and how many there are. */
export async function listWebhooks(
  em: Em,
  { userId, transactionId }: WebhookScope,
  { page, page_size }: { readonly page: number; readonly page_size: number },
): Promise<[WebhookRow[], number]> {
  const values = [userId, transactionId];
  const counted = await em.execute<[{ total: number }]>(
    `select count(*)::integer as total from webhook where ${scopeSql}`,
    values,
  );
  const rows = await em.execute<WebhookRow[]>(
    `select ${columns} from webhook where ${scopeSql} order by created_at desc, id desc limit ? offset ?`,
    [...values, page_size, (page - 1) * page_size],
  );
  return [rows.map(fromRow), counted[0].total];
}

/** One webhook of a scope, by its id; null where the scope has none such. */
export async function findWebhook(em: Em, scope: WebhookScope, id: string): Promise<WebhookRow | null> {
  return await findOne(em, scope, 'id = ?', id);
}

/** The same, locked until the SQL transaction ends. Deliveries go on being written meanwhile. */
export async function lockWebhook(em: Em, scope: WebhookScope, id: string): Promise<WebhookRow | null> {
  return await findOne(em, scope, 'id = ?', id, 'for no key update');
}

/** One webhook of a transaction, by the id that the client of an agent protocol chose; locked. */
export async function lockWebhookConfig(em: Em, scope: WebhookScope, configId: string): Promise<WebhookRow | null> {
  return await findOne(em, scope, 'config_id = ?', configId, 'for no key update');
}

/**
 * Takes a webhook away, within a SQL transaction: no attempt begins after the commit. Secrets go at once, the row and its
 * deliveries by maintenance. The caller holds the lock of the row.
 */
export async function deleteWebhook(em: Em, id: string, at: Date): Promise<void> {
  await em.execute(
    `update webhook set status = 'disabled', disabled_at = coalesce(disabled_at, ?), deleted_at = ?, updated_at = ?,
       disabled_reason = coalesce(disabled_reason, 'owner'), sealed_credential = null where id = ?`,
    [at, at, at, id],
  );
  await em.execute('delete from webhook_secret where webhook_id = ?', [id]);
  await cancelPending(em, [id], at);
}

/**
 * Changes what was given and leaves the rest. What waits goes to the new address, and whose key set it, with whose grant
 * the webhook ends. The caller holds the lock of the row.
 */
export async function updateWebhook(
  em: Em,
  id: string,
  { url, event_types, description }: WebhookChanges,
  { apiKeyId, at }: Pick<NewWebhook, 'apiKeyId' | 'at'>,
): Promise<void> {
  await em.execute(
    `update webhook set url = coalesce(?, url), updated_at = ?,
       platform_id = case when ? then (select platform_id from api_key where id = ?) else platform_id end,
       event_types = case when ? then array(select jsonb_array_elements_text(?::jsonb)) else event_types end,
       description = case when ? then ? else description end where id = ?`,
    [
      url ?? null,
      at,
      url !== undefined,
      apiKeyId,
      event_types !== undefined,
      JSON.stringify(event_types ?? []),
      description !== undefined,
      description ?? null,
      id,
    ],
  );
}

/**
 * Enables a webhook again. It gets what commits from now on; what happened while it was disabled stays in the feed. Whoever
 * set its address, with whose grant it ends, stays the same. The caller holds the lock of the row.
 */
export async function enableWebhook(
  em: Em,
  id: string,
  { settledSeq, at }: Pick<NewWebhook, 'settledSeq' | 'at'>,
): Promise<void> {
  await em.execute(
    `update webhook w set status = 'enabled', disabled_at = null, disabled_reason = null, failing_since = null,
       after_seq = greatest(w.after_seq, c.seq, ?), updated_at = ? from webhook_cursor c where w.id = ?`,
    [settledSeq.toString(), at, id],
  );
}

/** Disables a webhook that is enabled, and cancels what it waits for. Null where it is not enabled. */
export async function disableWebhook(em: Em, id: string, reason: DisabledReason, at: Date): Promise<WebhookRow | null> {
  const [row] = await disableWhere(em, 'id = ?', [id], reason, at);
  return row ?? null;
}

/** The same for all of a user's whose address a key of this platform set. */
export async function disableWebhooksOfPlatform(em: Em, platformId: string, userId: string, at: Date): Promise<void> {
  await disableWhere(em, 'platform_id = ? and user_id = ?', [platformId, userId], 'owner', at);
}

async function disableWhere(
  em: Em,
  condition: string,
  values: readonly string[],
  reason: DisabledReason,
  at: Date,
): Promise<WebhookRow[]> {
  const rows = await em.execute<WebhookRow[]>(
    `update webhook set status = 'disabled', disabled_at = ?, disabled_reason = ?, updated_at = ?
     where status = 'enabled' and ${condition} returning ${columns}`,
    [at, reason, at, ...values],
  );
  await cancelPending(
    em,
    rows.map(({ id }) => id),
    at,
  );
  return rows.map(fromRow);
}

/** True for no key, and for one whose platform may act for the user: then nobody takes that back before the commit. */
export async function lockGrantOfKey(em: Em, apiKeyId: string | null, userId: string): Promise<boolean> {
  if (apiKeyId === null) return true;
  const rows = await em.execute<unknown[]>(
    `select 1 from platform_grant g join api_key k on k.platform_id = g.platform_id
     where k.id = ? and g.user_id = ? and g.revoked_at is null for share of g`,
    [apiKeyId, userId],
  );
  return rows.length > 0;
}

async function cancelPending(em: Em, webhookIds: readonly string[], at: Date): Promise<void> {
  if (webhookIds.length === 0) return;
  await em.execute(
    `update webhook_delivery set status = 'cancelled', ended_at = ?, next_attempt_at = null
     where webhook_id = any(?::uuid[]) and status = 'pending'`,
    [at, `{${webhookIds.join(',')}}`],
  );
}

async function findOne(
  em: Em,
  scope: WebhookScope,
  condition: string,
  value: string,
  lock = '',
): Promise<WebhookRow | null> {
  const { userId, transactionId } = scope;
  const sql = `select ${columns} from webhook where ${scopeSql} and ${condition} ${lock}`;
  const [row] = await em.execute<WebhookRow[]>(sql, [userId, transactionId, value]);
  return row === undefined ? null : fromRow(row);
}

function fromRow(row: WebhookRow): WebhookRow {
  return {
    ...row,
    disabled_at: isoTimeOf(row.disabled_at),
    failing_since: isoTimeOf(row.failing_since),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
