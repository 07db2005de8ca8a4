import { readUserEvents } from '../../domain/store/user-event.store.ts';
import type { Context, Deps } from '../deps.ts';
import type { StreamLine } from './page-or-stream.ts';
import type { EventStream } from './event-stream.ts';
import { bytesOf } from './event-bytes.ts';
import { settledSeq } from './feed.reads.ts';
import type { FeedQuery } from './feed.schemas.ts';
import { lastEventIdOf } from './last-event-id.ts';
import { LiveQueue } from './live-queue.ts';

const batchSize = 50;

/** Streams the caller's events from a place on, until the client goes, the process stops or the credential ends. */
export async function streamFeed(
  { eventFeed: { tail }, streams }: Pick<Deps, 'eventFeed' | 'streams'>,
  { em, caller: { userId }, log }: Context,
  { after, type, transaction_id: transactionId }: FeedQuery,
  { request, reply, confirm }: StreamLine,
): Promise<void> {
  let stream: EventStream | null = null;
  const queue = new LiveQueue(
    ({ record }) =>
      (type === undefined || record.type === type) &&
      (transactionId === undefined || record.transaction_id === transactionId),
    () => stream?.wake(),
  );
  const unsubscribe = tail.subscribe(userId, (event) => queue.push(event));
  try {
    // Asked first: it is not to fail after the stream was opened.
    const now = await settledSeq(tail);
    const from = lastEventIdOf(request) ?? after ?? now;
    const wanted = { userId, type, transactionId };
    const read = async (position: bigint) =>
      await readUserEvents(em, { ...wanted, after: position, upTo: await settledSeq(tail), limit: batchSize });
    await streams.within(userId, async () => {
      stream = streams.open(reply, confirm);
      await follow(stream, queue, from, read, log);
    });
  } finally {
    unsubscribe();
  }
}

type Read = (after: bigint) => ReturnType<typeof readUserEvents>;

async function follow(
  stream: EventStream,
  queue: LiveQueue,
  from: bigint,
  read: Read,
  log: Context['log'],
): Promise<void> {
  try {
    await stream.write(`id: ${from}\n\n`);
    let seen = from;
    while (stream.isOpen) {
      if (queue.restart()) seen = await catchUp(stream, seen, read);
      for (const event of queue.take()) {
        if (event.seq <= seen) continue;
        await stream.write(bytesOf(event.record));
        seen = event.seq;
      }
      await stream.woken();
    }
  } catch (error) {
    log.warn({ err: error }, 'event stream broke; the client resumes it');
  } finally {
    stream.end();
  }
}

/** Sends what the table has after `seen`, up to the settled place of the last read, and answers that place. */
async function catchUp(stream: EventStream, seen: bigint, read: Read): Promise<bigint> {
  let position = seen;
  while (stream.isOpen) {
    const { events, next, hasMore } = await read(position);
    for (const event of events) {
      if (!stream.isOpen) return position;
      await stream.write(bytesOf(event));
    }
    position = next;
    if (!hasMore) return position;
  }
  return position;
}
