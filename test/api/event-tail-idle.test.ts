import { describe, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { openEventTail, type EventTail } from '../../domain/store/event-tail.ts';
import type { Prepared } from '../../domain/store/prepared.ts';
import { openListening } from './event-session.ts';

const listening = openListening();
const { session, watch } = listening;

/** A tail that stops as soon as nobody wants to know, and the names of its queries. */
function idleTail(answered: (query: string, count: number) => void = () => undefined): {
  tail: EventTail;
  queries: string[];
} {
  const queries: string[] = [];
  const query = async <Row extends object>(statement: Prepared, values: readonly unknown[]) => {
    queries.push(statement.name);
    const rows = await listening.listener.query<Row>(statement, values);
    answered(statement.name, rows.length);
    return rows;
  };
  return { tail: openEventTail({ ...listening.listener, query }, { lingerMs: 0 }), queries };
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
    const watched = watch();
    await watched.isReady();
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

  it.each([
    { moment: 'before the first position', hasPosition: false },
    { moment: 'after it', hasPosition: true },
  ])('leaves a gap alone that stays open: $moment', async ({ hasPosition }) => {
    const [slow, quick] = [await session(), await session()];
    const { tail, queries } = idleTail();
    const another = watch();
    await another.isReady();
    const openGap = async () => {
      await slow.run('begin');
      await slow.append();
      await quick.append();
    };
    if (!hasPosition) await openGap();
    const unsubscribe = tail.onMove(() => undefined);
    if (hasPosition) {
      await settlesAt(tail, 0n);
      await openGap();
    }
    await another.looks(2);
    expect(tail.settledSeq !== null).toBe(hasPosition);
    unsubscribe();
    // Both ask over one connection: what was on its way is answered by then.
    await another.looks(2);
    const asked = queries.length;
    await another.looks(2);
    await quick.append();
    await another.looks(2);
    expect(queries).toHaveLength(asked);
    await slow.run('commit');
  });

  it('looks at a gap as soon as the first time when it is asked again', async () => {
    const [slow, quick] = [await session(), await session()];
    const lookedAtMs: number[][] = [];
    const { tail } = idleTail((query) => {
      if (query === 'event-highest') lookedAtMs.push([]);
      if (query === 'event-highest' || query === 'event-lock-holder') lookedAtMs.at(-1)?.push(performance.now());
    });
    await slow.run('begin');
    await slow.append();
    for (let time = 0; time < 4; time += 1) {
      const { promise: heard, resolve } = Promise.withResolvers<void>();
      // Long enough for pauses to become the longest.
      expect(await tail.settled(250)).toBeNull();
      const unsubscribe = listening.listener.subscribeToAll(resolve);
      await quick.append();
      await heard;
      unsubscribe();
    }
    const [, ...again] = lookedAtMs.map(([began = 0, , second = Infinity]) => second - began);
    // The quickest, because a busy machine makes any of them late.
    expect(Math.min(...again)).toBeLessThan(50);
    await slow.run('commit');
  });
});

it('whoever subscribes while only numbers are read is told what was in them', async () => {
  const writer = await session();
  const told: bigint[] = [];
  let from: bigint | null = null;
  const { tail } = idleTail((query, count) => {
    if (query !== 'event-following-number' || count === 0) return;
    from = tail.settledSeq;
    tail.subscribe(listening.audience, ({ seq }) => told.push(seq));
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
