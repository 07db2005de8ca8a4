import type { EventRecord } from '../event/event.ts';
import { eventColumns, eventOf, type EventRow } from './event.store.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

/** What of a user's events is asked for: those after one number and up to another, which must be settled. */
export interface UserEventQuery {
  readonly userId: string;
  readonly after: bigint;
  readonly upTo: bigint;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly transactionId?: string | undefined;
}

export interface UserEvents {
  readonly events: EventRecord[];
  /** Where to go on: nothing that was asked for lies between the last event and here. */
  readonly next: bigint;
  readonly hasMore: boolean;
}

/** How many events one read looks at to find those of a type. */
const scannedAtMost = 2_000;

// $1 user, $2 after, $3 up to, $4 how many to look at, $5 type or null, $6 how many to answer, $7 transaction.
const place = (index: 1 | 2) =>
  `(select e.seq, e.type from event e where e.audience[${index}] = $1 and e.seq > $2 and e.seq <= $3 order by e.seq limit $4)`;
const ofUser = `select seq, type from (${place(1)} union all ${place(2)}) m order by seq limit $4`;
const ofUserInTransaction = `select e.seq, e.type from event e where e.transaction_id = $7 and $1 = any(e.audience)
  and e.seq > $2 and e.seq <= $3 order by e.seq limit $4`;

function pageSql(mine: string): string {
  return `with mine as (${mine}),
    wanted as (select seq from mine where $5::text is null or type = $5 order by seq limit $6),
    looked as (select max(seq)::text as looked_to, count(*)::integer as looked_at from mine)
  select l.looked_to, l.looked_at, found.* from looked l left join
    (select ${eventColumns} from wanted w join event e on e.seq = w.seq) found on true
  order by found.seq::bigint`;
}

const userPage = prepare('event-of-user', pageSql(ofUser));
const transactionPage = prepare('event-of-user-in-transaction', pageSql(ofUserInTransaction));

type Row = { readonly looked_to: string | null; readonly looked_at: number } & (EventRow | { readonly seq: null });

/**
 * The events that a user is told of, in order. One query, which looks at no more rows than the limit, or at two thousand
 * where only one type is wanted: then there may be fewer than the limit, even none, and yet more to come.
 */
export async function readUserEvents(em: Em, query: UserEventQuery): Promise<UserEvents> {
  const { userId, after, upTo, limit, type, transactionId } = query;
  const window = type === undefined ? limit + 1 : scannedAtMost;
  const given = [userId, after.toString(), upTo.toString(), window, type ?? null, limit + 1];
  const rows =
    transactionId === undefined
      ? await run<Row>(em, userPage, given)
      : await run<Row>(em, transactionPage, [...given, transactionId]);
  const [{ looked_to, looked_at } = { looked_to: null, looked_at: 0 }] = rows;
  const found = rows.flatMap(({ looked_to: _to, looked_at: _at, ...row }) => (row.seq === null ? [] : [eventOf(row)]));
  const events = found.slice(0, limit);
  const last = events.at(-1);
  if (found.length > limit && last !== undefined) return { events, next: BigInt(last.seq), hasMore: true };
  if (looked_at >= window && looked_to !== null) return { events, next: BigInt(looked_to), hasMore: true };
  return { events, next: after > upTo ? after : upTo, hasMore: false };
}
