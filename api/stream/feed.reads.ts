import { MarketplaceError } from '../../domain/errors.ts';
import type { EventTail } from '../../domain/store/event-tail.ts';
import { readUserEvents } from '../../domain/store/user-event.store.ts';
import type { Context } from '../deps.ts';
import type { FeedQuery } from './feed.schemas.ts';

/** A page of the caller's events. */
export async function readFeed({ em, caller, eventFeed }: Context, query: FeedQuery) {
  const { after = 0n, limit, type, transaction_id: transactionId } = query;
  const upTo = await settledSeq(eventFeed.tail);
  const page = await readUserEvents(em, { userId: caller.userId, after, upTo, limit, type, transactionId });
  return { items: page.events, next_after: page.next.toString(), has_more: page.hasMore };
}

/** SQL transactions that write events take milliseconds; whoever waits for longer ones is not to wait here. */
const foundWithinMs = 2_000;

/** How far the feed can be told. Throws `unavailable` where that is not found out in time. */
export async function settledSeq(tail: Pick<EventTail, 'settled'>): Promise<bigint> {
  const seq = await tail.settled(foundWithinMs);
  if (seq === null) throw new MarketplaceError('unavailable', { retry_after_sec: 1 });
  return seq;
}
