import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { openEventListener } from '../../domain/store/event-listener.ts';
import { startService, type Service } from '../harness.ts';
import { newAudience, openSession, watchTail, type Session, type WatchedTail } from './event-session.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const sessionCount = 4;
const actions = [
  'begin',
  'append',
  'append',
  'savepoint',
  'rollback to',
  'commit',
  'rollback',
  'wait',
  'open tail',
] as const;
type Step = readonly [session: number, action: (typeof actions)[number]];
const step: fc.Arbitrary<Step> = fc.tuple(fc.nat(sessionCount - 1), fc.constantFrom(...actions));

/** Plays one step where the state of the session allows it. */
class Player {
  readonly #session: Session;
  #isOpen = false;
  #hasSavepoint = false;

  constructor(session: Session) {
    this.#session = session;
  }

  async play(action: Step[1]): Promise<void> {
    if (action === 'append') await this.#session.append();
    else if (action === 'begin' && !this.#isOpen) await this.#transition('begin', true);
    else if (action === 'savepoint' && this.#isOpen) {
      await this.#session.run('savepoint part');
      this.#hasSavepoint = true;
    } else if (action === 'rollback to' && this.#hasSavepoint) await this.#session.run('rollback to part');
    else if ((action === 'commit' || action === 'rollback') && this.#isOpen) await this.#transition(action, false);
  }

  async end(): Promise<void> {
    if (this.#isOpen) await this.#transition('commit', false);
  }

  async #transition(sql: string, isOpen: boolean): Promise<void> {
    await this.#session.run(sql);
    this.#isOpen = isOpen;
    this.#hasSavepoint = false;
  }
}

/** Gives every tail the time to be wrong. */
async function wait(tails: readonly Late[], session: Session): Promise<void> {
  const { rows } = await session.client.query<{ seq: string | null }>('select max(seq)::text as seq from event');
  await Promise.all(tails.map((one) => one.hasDecided(BigInt(rows[0]?.seq ?? 0))));
}

async function committedAfter(session: Session, audience: string, seq: bigint): Promise<bigint[]> {
  const sql = 'select seq::text from event where audience[1] = $1 and seq > $2 order by event.seq';
  const { rows } = await session.client.query<{ seq: string }>(sql, [audience, seq.toString()]);
  return rows.map((row) => BigInt(row.seq));
}

/** A tail, with what it had to tell by the time its first position was known. */
interface Late extends WatchedTail {
  readonly from: () => bigint | null;
}

function openLate(databaseUrl: string, audience: string, cleanup: AsyncDisposableStack): Late {
  const listener = openEventListener(databaseUrl);
  cleanup.defer(() => listener.close());
  let from: bigint | null = null;
  const watched = watchTail(listener, audience);
  watched.tail.onMove(() => {
    from ??= watched.tail.settledSeq;
  });
  return { ...watched, from: () => from };
}

/** What each tail told in the end, and what is committed after its first position, in order. */
async function toldAndCommitted(tails: readonly Late[], session: Session, audience: string) {
  const last = await session.append();
  const found: { told: readonly bigint[]; committed: bigint[] }[] = [];
  for (const { tail, told, from } of tails) {
    await pollUntil('the last event', { timeoutMs: 10_000, everyMs: 2 }, async () => {
      if ((tail.settledSeq ?? 0n) < last) throw new Error(`settled ${tail.settledSeq} of ${last}`);
    });
    found.push({ told, committed: await committedAfter(session, audience, from() ?? 0n) });
  }
  return found;
}

it('tells every committed event once and in order, however begin, insert, commit and rollback interleave', async () => {
  const limit = { numRuns: 60, interruptAfterTimeLimit: 40_000 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      await using cleanup = new AsyncDisposableStack();
      const audience = newAudience();
      const open = () => openSession(service.databaseUrl, audience, cleanup);
      const watcher = await open();
      const sessions = await Promise.all(Array.from({ length: sessionCount }, open));
      const players = sessions.map((session) => new Player(session));
      const tails = [openLate(service.databaseUrl, audience, cleanup)];
      for (const [index, action] of steps) {
        if (action === 'wait') await wait(tails, watcher);
        else if (action !== 'open tail') await players[index]?.play(action);
        else if (tails.length < 3) tails.push(openLate(service.databaseUrl, audience, cleanup));
      }
      for (const player of players) await player.end();
      for (const { told, committed } of await toldAndCommitted(tails, watcher, audience))
        expect(told).toEqual(committed);
    }),
    limit,
  );
}, 60_000);

it('tells every committed event once and in order while many sessions write at the same time', async () => {
  await using cleanup = new AsyncDisposableStack();
  const audience = newAudience();
  const tails = [openLate(service.databaseUrl, audience, cleanup)];
  const write = async (writer: number) => {
    const session = await openSession(service.databaseUrl, audience, cleanup);
    const watcher = await openSession(service.databaseUrl, audience, cleanup);
    for (let round = 0; round < 100; round += 1) {
      await session.run('begin');
      for (let count = (writer + round) % 3; count >= 0; count -= 1) await session.append();
      if ((writer * 3 + round) % 6 === 0) await wait(tails, watcher);
      await session.run((writer * 7 + round) % 4 === 0 ? 'rollback' : 'commit');
      if (writer === 0 && round % 25 === 10) tails.push(openLate(service.databaseUrl, audience, cleanup));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => write(index)));
  const last = await openSession(service.databaseUrl, audience, cleanup);
  const found = await toldAndCommitted(tails, last, audience);
  expect(found.map(({ told }) => told)).toEqual(found.map(({ committed }) => committed));
  expect(found[0]?.told.length).toBeGreaterThan(1_000);
}, 60_000);
