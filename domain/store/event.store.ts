import type { EventRecord, TransactionEventRecord } from '../event/event.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

/** An event that belongs to no transaction. */
export interface NewEvent {
  readonly type: string;
  readonly actorType: string;
  readonly actorUserId: string | null;
  /** The one or two users who are told. */
  readonly audience: readonly [string] | readonly [string, string];
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** The columns of a record, of `event` under the name `e`. */
export const eventColumns =
  'e.seq::text, e.type, e.transaction_id, e.step, e.operation, e.actor_type, e.actor_user_id, e.data, e.created_at';

/** What the driver makes of those columns. */
export type EventRow<T extends EventRecord = EventRecord> = Omit<T, 'created_at'> & {
  readonly created_at: string | Date;
};

/** The record of a row. */
export function eventOf<T extends EventRecord>(row: EventRow<T>): T {
  return { ...row, created_at: new Date(row.created_at).toISOString() } as T;
}

const ofTransaction = prepare(
  'event-of-transaction',
  `select ${eventColumns} from event e where e.transaction_id = ? and e.seq > ? order by e.step, e.ordinal limit ?`,
);

/** The events of a transaction after a sequence number, in order. One query, outside of SQL transactions. */
export async function eventsAfter(
  em: Em,
  transactionId: string,
  seq: bigint,
  limit: number,
): Promise<TransactionEventRecord[]> {
  const rows = await run<EventRow<TransactionEventRecord>>(em, ofTransaction, [transactionId, seq.toString(), limit]);
  return rows.map(eventOf);
}

/** Writes an event as part of the SQL transaction that `em` is in, whose commit tells everybody who listens. */
export async function appendEvent(em: Em, event: NewEvent): Promise<void> {
  const { type, actorType, actorUserId, audience, data, at } = event;
  await em.execute(`select append_event(?, ?, ?::uuid, ?::uuid[], ?::jsonb, ?::timestamptz)`, [
    type,
    actorType,
    actorUserId,
    `{${audience.join(',')}}`,
    JSON.stringify(data),
    at,
  ]);
}
