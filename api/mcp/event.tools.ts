import { readFeed } from '../stream/feed.reads.ts';
import { eventPage, feedQuery } from '../stream/feed.schemas.ts';
import { reads, tool } from './tool.ts';

export const listEvents = tool({
  name: 'list_events',
  title: 'List events',
  description:
    'Read what has happened to your transactions, as buyer and as seller, in order: who froze, accepted, delivered, ' +
    'confirmed or rejected what. Keep next_after and send it as after next time, and you get only what is new. To wait ' +
    'for one transaction, use wait_for_transaction instead.',
  annotations: reads,
  access: 'caller',
  input: feedQuery,
  output: eventPage,
  operationOf: () => 'read',
  run: async (call, query) => await call.read((ctx) => readFeed(ctx, query)),
});
