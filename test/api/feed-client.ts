import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { appendEvent } from '../../domain/store/event.store.ts';
import type { Person, Service } from '../harness.ts';

export const feedPath = '/api/v1/events';

const page = z.object({
  items: z.array(z.looseObject({ seq: z.string(), type: z.string(), transaction_id: z.string().nullable() })),
  next_after: z.string(),
  has_more: z.boolean(),
});
export type FeedPage = z.output<typeof page>;

/** One page of somebody's feed; fails where it is refused. */
export async function readPage(person: Pick<Person, 'call'>, query: Record<string, string> = {}): Promise<FeedPage> {
  const reply = await person.call('GET', `${feedPath}?${new URLSearchParams(query).toString()}`);
  if (reply.code !== 0) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return page.parse(reply.data);
}

/** Writes events that belong to no transaction, in one SQL transaction. */
export async function tell(
  service: Pick<Service, 'em'>,
  { userId }: Pick<Person, 'userId'>,
  types: readonly string[],
  data: Record<string, unknown> = {},
): Promise<void> {
  const event = { actorType: 'system', actorUserId: null, audience: [userId], data, at: new Date() } as const;
  await service.em.transactional(async (em) => {
    for (const type of types) await appendEvent(em, { ...event, type });
  });
}

export interface Follower {
  readonly response: Response;
  readonly text: () => string;
  readonly events: readonly EventSourceMessage[];
  /** Reads on until so many events have come, or the stream ends; null: to the end. */
  until(count: number | null): Promise<readonly EventSourceMessage[]>;
  /** Reads on until the text so far has this in it. */
  untilText(part: string): Promise<void>;
  close(): void;
}

/** Opens a stream of server-sent events; one that nobody closes breaks after 25 s, so that no test hangs. */
export async function follow(url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Follower> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(25_000)]);
  const response = await fetch(url, { ...init, headers: { accept: 'text/event-stream', ...headers }, signal });
  const events: EventSourceMessage[] = [];
  let text = '';
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const chunks = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const readWhile = async (isWaiting: () => boolean) => {
    while (isWaiting()) {
      const { value, done } = await chunks.next();
      if (done) break;
      text += value;
      parser.feed(value);
    }
  };
  return {
    response,
    text: () => text,
    events,
    until: async (count) => {
      await readWhile(() => count === null || events.length < count);
      return events;
    },
    untilText: async (part) => await readWhile(() => !text.includes(part)),
    close: () => stop.abort(),
  };
}

/** The caller's feed as a stream, which is open and told its place when this comes back. */
export async function followFeed(
  service: Pick<Service, 'url'>,
  person: Pick<Person, 'headers'>,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Follower> {
  const stream = await follow(`${service.url}${feedPath}${query}`, { ...(await person.headers()), ...headers });
  if (stream.response.status === 200) await stream.untilText('id: ');
  return stream;
}
