import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';
import { insertDeliveries, type Meant, type Render } from './webhook-batch.store.ts';

export interface Relayed {
  /** There may be more up to the settled position. */
  readonly isMore: boolean;
  readonly deliveryCount: number;
}

/** A delivery that no workflow is known to be at. */
export interface Unstarted {
  readonly id: string;
  readonly run: number;
}

// The two ways in which a webhook may be meant, each by an index of its own.
const meantSql = `
  from event e cross join lateral (
      select o.* from webhook o where o.user_id = any(e.audience) and o.transaction_id is null and o.status = 'enabled'
      union all
      select o.* from webhook o where o.transaction_id = e.transaction_id and o.deleted_at is null
        and o.transaction_id is not null and o.user_id = any(e.audience) and o.status = 'enabled'
    ) w
  where e.seq > ? and e.seq <= ? and e.seq > w.after_seq
    and (cardinality(w.event_types) = 0 or e.type = any(w.event_types))`;
// Without what happened, which may be large, and which twenty webhooks would have twenty times.
const matchedSql = `
  select e.seq::text, json_build_object('id', w.id, 'user_id', w.user_id, 'protocol', w.protocol,
    'transaction_id', w.transaction_id, 'config_id', w.config_id, 'protocol_data', w.protocol_data) as webhook
  ${meantSql} order by e.seq, w.id`;
const anyMeant = prepare('webhook-any-meant', `select exists (select 1 ${meantSql}) as is_meant`);

/** Whether any webhook is to hear of the events after one number and up to another. One query, outside of SQL transactions. */
export async function isAnyMeant(em: Em, after: bigint, upTo: bigint): Promise<boolean> {
  const [row] = await run<{ is_meant: boolean }>(em, anyMeant, [after.toString(), upTo.toString()]);
  return row?.is_meant === true;
}

/**
 * Makes the deliveries of the next events up to the settled position and moves the cursor past them, in one SQL
 * transaction: an event is relayed once, whatever dies. Several relays at once come one after the other. Of `most` events
 * it takes as many as make a batch.
 */
export async function relayEvents(
  em: Em,
  settledSeq: bigint,
  most: number,
  at: Date,
  render: Render,
): Promise<Relayed> {
  return await em.transactional(async (inner) => {
    const [cursor] = await inner.execute<[{ seq: string }]>('select seq from webhook_cursor for update');
    if (BigInt(cursor.seq) >= settledSeq) return { isMore: false, deliveryCount: 0 };
    const [last] = await inner.execute<{ seq: string }[]>(
      'select seq from event where seq > ? and seq <= ? order by seq offset ? limit 1',
      [cursor.seq, settledSeq.toString(), most - 1],
    );
    const upTo = last?.seq ?? settledSeq.toString();
    const meant = await inner.execute<Meant[]>(matchedSql, [cursor.seq, upTo]);
    const { deliveryCount, endSeq } = await insertDeliveries(inner, meant, at, render);
    await inner.execute('update webhook_cursor set seq = ?', [endSeq ?? upTo]);
    return { isMore: last !== undefined || endSeq !== null, deliveryCount };
  });
}

/** Deliveries that wait for their workflow to be started, in the order of their events. */
export async function unstartedDeliveries(em: Em, limit: number): Promise<Unstarted[]> {
  return await em.execute<Unstarted[]>(
    `select id, run from webhook_delivery where status = 'pending' and started_at is null
     order by next_attempt_at, event_seq limit ?`,
    [limit],
  );
}

/** Notes that their workflows run. */
export async function markStarted(em: Em, deliveries: readonly Unstarted[], at: Date): Promise<void> {
  await em.execute(
    `update webhook_delivery d set started_at = ? from json_to_recordset(?::json) as s (id uuid, run integer)
     where d.id = s.id and d.run = s.run and d.started_at is null`,
    [at, JSON.stringify(deliveries)],
  );
}

/**
 * Counts as unstarted again what is overdue since `before` and has not been started since: its workflow may be lost. Where
 * it is not, starting it again does nothing. Answers how many there were.
 */
export async function forgetStarts(em: Em, before: Date, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `update webhook_delivery set started_at = null where id in (
       select id from webhook_delivery where status = 'pending' and next_attempt_at < ? and started_at < ?
       order by next_attempt_at limit ? for update skip locked) returning 1`,
    [before, before, limit],
  );
  return rows.length;
}

/** Enabled webhooks with more than so many deliveries waiting: a receiver that never comes to an end of them. */
export async function overfullWebhooks(em: Em, most: number): Promise<string[]> {
  const rows = await em.execute<{ webhook_id: string }[]>(
    `select webhook_id from webhook_delivery where status = 'pending' group by webhook_id having count(*) > ?`,
    [most],
  );
  return rows.map(({ webhook_id }) => webhook_id);
}
