import type { AuditCredential, AuditData, AuditEntry } from '../audit/audit-entry.ts';
import type { Em } from './orm.ts';

/** What the trail may be narrowed by; `from` is inclusive, `to` is not. */
export interface AuditFilters {
  readonly action?: string | undefined;
  readonly actor_user_id?: string | undefined;
  readonly target_id?: string | undefined;
  readonly api_key_id?: string | undefined;
  readonly request_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An entry as support sees it. */
export interface AuditRecord {
  readonly seq: string;
  readonly at: string;
  readonly action: string;
  readonly actor_user_id: string | null;
  readonly credential: AuditCredential;
  readonly api_key_id: string | null;
  readonly address: string | null;
  readonly request_id: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly data: AuditData;
}

const columns = 'at, action, actor_user_id, credential, api_key_id, address, request_id, target_type, target_id, data';
const values = '?::timestamptz, ?, ?::uuid, ?, ?::uuid, ?::inet, ?, ?, ?, ?::jsonb';

/** Writes an entry as part of the SQL transaction that `em` is in, so that neither is without the other. */
export async function insertAuditEntry(em: Em, entry: AuditEntry): Promise<void> {
  await em.execute(`insert into audit_entry (${columns}) values (${values})`, valuesOf(entry));
}

/**
 * The same for a refusal that whoever it is can cause at will: at most one a minute for a key, whoever asks for it and on
 * whichever node. Two at the same moment may both be written.
 */
export async function insertKeyRefusal(em: Em, entry: AuditEntry): Promise<void> {
  await em.execute(
    `insert into audit_entry (${columns}) select ${values} where not exists (select 1 from audit_entry e
       where e.api_key_id = ? and e.action = ? and e.at > ?::timestamptz - interval '1 minute')`,
    [...valuesOf(entry), entry.apiKeyId, entry.action, entry.at],
  );
}

/** One page of the trail, newest first, and how many entries there are. */
export async function listAuditEntries(
  em: Em,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  filters: AuditFilters,
): Promise<[AuditRecord[], number]> {
  const { where, given } = whereOf(filters);
  const [counted] = await em.execute<[{ total: number }]>(
    `select count(*)::integer as total from audit_entry ${where}`,
    given,
  );
  const rows = await em.execute<(Omit<AuditRecord, 'at'> & { at: string | Date })[]>(
    `select seq::text, at, action, actor_user_id, credential, api_key_id, host(address) as address, request_id,
       target_type, target_id, data
     from audit_entry ${where} order by audit_entry.seq desc limit ? offset ?`,
    [...given, page_size, (page - 1) * page_size],
  );
  return [rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })), counted.total];
}

function whereOf(filters: AuditFilters): { where: string; given: string[] } {
  const conditions = [
    ['action = ?', filters.action],
    ['actor_user_id = ?', filters.actor_user_id],
    ['target_id = ?', filters.target_id],
    ['api_key_id = ?', filters.api_key_id],
    ['request_id = ?', filters.request_id],
    ['at >= ?', filters.from],
    ['at < ?', filters.to],
  ] as const;
  const set = conditions.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  if (set.length === 0) return { where: '', given: [] };
  return { where: `where ${set.map((one) => one.condition).join(' and ')}`, given: set.map((one) => one.value) };
}

function valuesOf(entry: AuditEntry): unknown[] {
  const { at, action, actorUserId, credential, apiKeyId, address, requestId, target, data } = entry;
  const json = JSON.stringify(data);
  const targetOf = [target?.type ?? null, target?.id ?? null];
  return [at, action, actorUserId, credential, apiKeyId, address, requestId, ...targetOf, json];
}
