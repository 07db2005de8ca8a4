import { MarketplaceError } from '../../domain/errors.ts';
import type { EventTail } from '../../domain/store/event-tail.ts';
import { readUserEvents } from '../../domain/store/user-event.store.ts';
import type { Context } from '../deps.ts';
import type { FeedQuery } from './feed.schemas.ts';

/** A page of the caller's events. */
export async function readFeed({ em, caller, eventFeed }: Context, query: FeedQuery) {
  const { after = 0n, limit, type, transaction_id: transactionId } = query;
  const upTo = settledSeq(eventFeed.tail);
  const page = await readUserEvents(em, { userId: caller.userId, after, upTo, limit, type, transactionId });
  return { items: page.events, next_after: page.next.toString(), has_more: page.hasMore };
}

/** How far the feed can be told. Throws `unavailable` while this process has not found out, right after its start. */
export function settledSeq({ settledSeq: seq }: Pick<EventTail, 'settledSeq'>): bigint {
  if (seq === null) throw new MarketplaceError('unavailable', { retry_after_sec: 1 });
  return seq;
}
