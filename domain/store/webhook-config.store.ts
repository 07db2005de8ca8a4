import type { Em } from './orm.ts';
import type { NewWebhook } from './webhook.store.ts';

/** The last event of a transaction that has happened; 0 where there is none. Within one transaction they commit in order. */
export async function lastSeqOf(em: Em, transactionId: string): Promise<bigint> {
  const [row] = await em.execute<[{ seq: string }]>(
    'select coalesce(max(seq), 0)::text as seq from event where transaction_id = ?',
    [transactionId],
  );
  return BigInt(row.seq);
}

type Replacement = Pick<
  NewWebhook,
  'apiKeyId' | 'protocol' | 'url' | 'sealedCredential' | 'protocolData' | 'settledSeq' | 'at'
>;

/**
 * Gives the webhook of a config its new address and credential, in the name of whoever asks. What waits to be delivered
 * goes there too; one that was disabled begins anew. The caller holds the locks of the grant and of the row.
 */
export async function replaceWebhookConfig(em: Em, id: string, webhook: Replacement): Promise<void> {
  const { apiKeyId, protocolData } = webhook;
  await em.execute(
    `update webhook w set protocol = ?, url = ?, sealed_credential = ?, protocol_data = ?::jsonb, updated_at = ?,
       platform_id = (select platform_id from api_key where id = ?),
       after_seq = case w.status when 'enabled' then w.after_seq else greatest(w.after_seq, c.seq, ?) end,
       status = 'enabled', disabled_at = null, disabled_reason = null, failing_since = null
     from webhook_cursor c where w.id = ?`,
    [
      webhook.protocol,
      webhook.url,
      webhook.sealedCredential,
      protocolData === null ? null : JSON.stringify(protocolData),
      webhook.at,
      apiKeyId,
      webhook.settledSeq.toString(),
      id,
    ],
  );
}

/**
 * Forgets configs of tasks that ended before a time, with whatever was sealed of them and the rest of their log. Answers how
 * many there were, `limit` at most.
 */
export async function forgetEndedConfigs(em: Em, before: Date, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from webhook where id in (
       select w.id from webhook w join transaction t on t.id = w.transaction_id
       where w.transaction_id is not null and w.updated_at < ? and t.updated_at < ? and t.deadline_at is null
       order by w.updated_at limit ? for update of w skip locked) returning 1`,
    [before, before, limit],
  );
  return rows.length;
}
