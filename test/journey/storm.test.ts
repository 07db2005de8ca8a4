import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Stack } from '../../ops/stack/stack.ts';
import type { Parties } from '../bench/parties.ts';
import { insist, type Answer } from './caller.ts';
import { killServer, openMarketplaceWithStack, type Marketplace } from './marketplace.ts';
import { checkLedger, createBy, creditUt, openTrade, operationOf, transactionsOf, walletOf } from './trade.ts';

const limitMs = 150_000;
const clientCount = 30;
const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let stack: Stack;
beforeAll(async () => {
  ({ marketplace, stack } = await openMarketplaceWithStack(cleanup));
});
afterAll(() => cleanup.disposeAsync());

type Who = 'buyer' | 'seller';
type Step = readonly [operation: string, who: Who, reached: string, body?: Readonly<Record<string, unknown>>];

const chain = [
  ['freeze', 'buyer', 'frozen'],
  ['accept', 'seller', 'accepted'],
  ['deliver', 'seller', 'delivered'],
] as const satisfies Step[];
/** The lives that transactions have, and what each ends with. */
const lives: readonly (readonly Step[])[] = [
  [...chain, ['confirm', 'buyer', 'settled']],
  [...chain, ['dispute', 'buyer', 'disputed', { reason: 'not as agreed' }], ['confirm', 'buyer', 'settled']],
  [...chain, ['dispute', 'buyer', 'disputed', { reason: 'not as agreed' }], ['reject', 'seller', 'rejected_by_seller']],
  [...chain.slice(0, 2), ['reject', 'seller', 'rejected_by_seller']],
  [...chain.slice(0, 1), ['cancel', 'buyer', 'cancelled_by_buyer']],
];

// The API first: a key that it held when it died is free only after 40 s, which the rest of the storm fills.
const kills = ['api', 'temporal', 'api', 'worker', 'api', 'postgres', 'worker', 'temporal'] as const;

/** What the clients of a storm have seen so far. */
interface Course {
  /** Final answers, of whatever step. */
  answered: number;
  /** Broken connections, 5030 and "still running". */
  readonly passing: Answer[];
  isOver: boolean;
}

/** One client: a life after the other until the storm is over, each step with one key until it is answered. */
async function live(parties: Parties, first: number, course: Course): Promise<[id: string, status: string][]> {
  const ended: [string, string][] = [];
  for (let index = first; ended.length === 0 || !course.isOver; index++) {
    const seen: unknown[] = [];
    const step = async (ask: Parameters<typeof insist>[1], status: string) => {
      const { answer, before } = await insist(marketplace.base, ask, 90_000);
      // So that a failure shows what its transaction went through.
      seen.push([ask.path, ...before.map(({ status: of, code }) => `${of} ${code}`), answer.data]);
      expect(answer.data, JSON.stringify(seen)).toMatchObject({ status });
      course.answered++;
      course.passing.push(...before);
      return String(answer.data['id']);
    };
    const id = await step(createBy(parties), 'pending');
    let status = 'pending';
    for (const [operation, who, reached, body] of lives[index % lives.length] ?? []) {
      await step(operationOf(id, operation, parties[who], body), reached);
      status = reached;
    }
    ended.push([id, status]);
  }
  return ended;
}

/** Waits until the clients have got so many more final answers, so that each kill hits operations that are under way. */
async function goesOn(course: Course, more: number): Promise<void> {
  const wanted = course.answered + more;
  await pollUntil(`${more} more answers`, { timeoutMs: 45_000, everyMs: 10 }, async () => {
    if (course.answered < wanted) throw new Error(`${wanted - course.answered} to go`);
  });
}

/** Comes back when another process of the part is ready. */
async function killAndAwait(part: (typeof kills)[number]): Promise<void> {
  if (part === 'postgres' || part === 'temporal') return await (await killServer(stack, part)).back();
  await marketplace[part].kill();
  await marketplace[part].start();
}

function sorted(rows: readonly [id: string, status: string][]): [id: string, status: string][] {
  return rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe('a storm', () => {
  it('of kills costs no transaction and no money', { timeout: limitMs }, async () => {
    const trades: Parties[] = [];
    for (let made = 0; made < 3; made++) trades.push(await openTrade(marketplace));
    const course: Course = { answered: 0, passing: [], isOver: false };
    const clients = Promise.all(
      Array.from({ length: clientCount }, async (_, index) => {
        const parties = trades[index % trades.length];
        if (parties === undefined) throw new Error('nobody trades');
        return await live(parties, index, course);
      }),
    );
    // One that fails ends the storm at its next wait.
    clients.catch(() => undefined);
    try {
      for (const part of kills) {
        await Promise.race([goesOn(course, 20), clients]);
        await killAndAwait(part);
      }
      await Promise.race([goesOn(course, 20), clients]);
    } finally {
      course.isOver = true;
    }
    const ended = (await clients).flat();
    expect(course.passing.length).toBeGreaterThan(0);
    const stored: [string, string][] = [];
    for (const parties of trades) {
      const rows = await transactionsOf(marketplace, parties);
      const settled = rows.filter(([, status]) => status === 'settled').length;
      const left = { available_ut: `${creditUt - settled}.00`, frozen_ut: '0.00', spent_ut: `${settled}.00` };
      expect(await walletOf(marketplace, parties.buyer)).toMatchObject(left);
      const gained = { available_ut: `${settled}.00`, frozen_ut: '0.00', earned_ut: `${settled}.00` };
      expect(await walletOf(marketplace, parties.seller)).toMatchObject(gained);
      stored.push(...rows);
    }
    expect(sorted(stored)).toEqual(sorted(ended));
    await checkLedger(marketplace);
  });
});
