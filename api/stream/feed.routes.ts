import type { Deps } from '../deps.ts';
import type { AddRoute } from '../route.ts';
import { readFeed } from './feed.reads.ts';
import { event, eventPage, feedQuery } from './feed.schemas.ts';
import { streamFeed } from './feed-stream.ts';

/** `GET /api/v1/events`: the caller's ordered feed, as pages and as a stream. */
export function feedRoutes(add: AddRoute, deps: Pick<Deps, 'eventFeed' | 'streams'>): void {
  add({
    method: 'GET',
    url: '/api/v1/events',
    operationId: 'listEvents',
    summary: 'Read or follow everything that happens to you, in order',
    description:
      'Events of all your transactions, as buyer and as seller, and of what else is yours. `seq` orders them, and ' +
      'nothing is ever added before a number that was shown: go on after `next_after`, or after the last event that ' +
      'you took, and none is lost or doubled, on whichever node. Numbers are not consecutive. An event appears some ' +
      'milliseconds after its change.\n\n' +
      'With `type`, a page may have fewer events than `limit`, even none, while `has_more` is true.\n\n' +
      'With `Accept: text/event-stream` (and not JSON) it is a stream of server-sent events: `id` is the sequence ' +
      'number, `event` the type, `data` the event as JSON. It goes on after the header `Last-Event-ID`, else after ' +
      '`after`, else with what happens from now on; the number of that place is sent first, as an `id` without data. ' +
      'Comments keep the connection alive. The stream ends when your credential does, some seconds later at most: ' +
      'come back with a new one and the last id. A slow client is caught up from the database; one that takes nothing ' +
      'for 30 s is cut off.',
    tag: 'events',
    access: 'caller',
    write: 'none',
    query: feedQuery,
    data: eventPage,
    errors: [],
    handler: async (ctx, { query }) => await readFeed(ctx, query),
    stream: { event, open: async (ctx, { query }, line) => await streamFeed(deps, ctx, query, line) },
  });
}
