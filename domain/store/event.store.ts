import type { Em } from './orm.ts';

/** An event as a party sees it. `seq` orders all events; within one transaction without gaps in time. */
export interface EventRecord {
  readonly seq: string;
  readonly type: string;
  readonly transaction_id: string;
  readonly step: number;
  readonly operation: string;
  readonly actor_type: string;
  readonly actor_user_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** The events of a transaction after a sequence number, in order. One query. */
export async function eventsAfter(em: Em, transactionId: string, seq: bigint, limit: number): Promise<EventRecord[]> {
  const rows = await em.execute<(Omit<EventRecord, 'created_at'> & { created_at: string | Date })[]>(
    `select seq, type, transaction_id, step, operation, actor_type, actor_user_id, data, created_at
     from event where transaction_id = ? and seq > ? order by step, ordinal limit ?`,
    [transactionId, seq.toString(), limit],
  );
  return rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }));
}
