import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { openEventListener, type EventListener } from '../../domain/store/event-listener.ts';
import { openEventTail, type EventTail } from '../../domain/store/event-tail.ts';
import type { Prepared } from '../../domain/store/prepared.ts';
import { startService, type Service } from '../harness.ts';
import { newAudience, openSession, watchTail, type Session } from './event-session.ts';

let service: Service;
let cleanup: AsyncDisposableStack;
let listener: EventListener;
let audience: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
  cleanup = new AsyncDisposableStack();
  audience = newAudience();
  listener = openEventListener(service.databaseUrl);
  cleanup.defer(() => listener.close());
});
afterEach(() => cleanup.disposeAsync());

const session = (): Promise<Session> => openSession(service.databaseUrl, audience, cleanup);

/** A tail that stops as soon as nobody wants to know, and the names of its queries. */
function idleTail(answered: (query: string, count: number) => void = () => undefined): {
  tail: EventTail;
  queries: string[];
} {
  const queries: string[] = [];
  const query = async <Row extends object>(statement: Prepared, values: readonly unknown[]) => {
    queries.push(statement.name);
    const rows = await listener.query<Row>(statement, values);
    answered(statement.name, rows.length);
    return rows;
  };
  return { tail: openEventTail({ ...listener, query }, { lingerMs: 0 }), queries };
}

async function settlesAt(tail: EventTail, seq: bigint): Promise<void> {
  await pollUntil(`${seq} settled`, { timeoutMs: 10_000, everyMs: 5 }, async () => {
    const settled = await tail.settled(1_000);
    if (settled === null || settled < seq) throw new Error(`settled ${settled}`);
  });
}

describe('a tail that nobody listens to', () => {
  it('asks the database nothing, whatever is committed', async () => {
    const writer = await session();
    const { queries } = idleTail();
    const watched = watchTail(listener, audience);
    await pollUntil('the first position', { timeoutMs: 10_000, everyMs: 5 }, async () => {
      if (watched.tail.settledSeq === null) throw new Error('not yet');
    });
    for (let count = 0; count < 5; count += 1) await writer.append();
    await watched.hasTold(5);
    expect(queries).toEqual([]);
  });

  it('finds out when it is asked, and forgets with the next commit', async () => {
    const writer = await session();
    const { tail, queries } = idleTail();
    const first = await writer.append();
    await settlesAt(tail, first);
    const asked = queries.length;
    const second = await writer.append();
    await pollUntil('forgotten', { timeoutMs: 10_000, everyMs: 5 }, async () => {
      if (tail.settledSeq !== null) throw new Error(`still ${tail.settledSeq}`);
    });
    expect(queries).toHaveLength(asked);
    await settlesAt(tail, second);
  });

  it('does not say what it does not know, and knows as soon as the gap is closed', async () => {
    const [slow, quick] = [await session(), await session()];
    const { tail } = idleTail();
    await slow.run('begin');
    await slow.append();
    const second = await quick.append();
    expect(await tail.settled(200)).toBeNull();
    await slow.run('commit');
    await settlesAt(tail, second);
  });
});

it('whoever subscribes while only numbers are read is told what was in them', async () => {
  const writer = await session();
  const told: bigint[] = [];
  let from: bigint | null = null;
  const { tail } = idleTail((query, count) => {
    if (query !== 'event-following-number' || count === 0) return;
    from = tail.settledSeq;
    tail.subscribe(audience, ({ seq }) => told.push(seq));
  });
  tail.onMove(() => undefined);
  await settlesAt(tail, 0n);
  const seq = await writer.append();
  await pollUntil('the event', { timeoutMs: 10_000, everyMs: 5 }, async () => {
    if (told.length === 0) throw new Error(`settled ${tail.settledSeq}, subscribed at ${from}`);
  });
  expect(told).toEqual([seq]);
  expect(from).toBeLessThan(seq);
});
