import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { v7 } from 'uuid';
import { openOrm, type Em } from '../../domain/store/orm.ts';
import { grantPlatform } from '../../domain/store/platform-grant.store.ts';
import { createUser } from '../../domain/store/user.store.ts';
import type { TransactionState } from '../../domain/transaction/transaction.ts';
import type { Bench } from './bench-run.ts';
import { median, rounded } from './compare.ts';
import { makeTransaction, stepsOfLife, writeSteps, type Commits } from './event-writer.ts';
import { residentKibOf } from './memory.ts';
import { makeAgentKey } from './parties.ts';
import { firstMessage, start } from './processes.ts';
import type { Frame, ReaderOrder, StreamAddress } from './stream-reader.ts';

const feeds = 1_600;
const followed = 400;
const eventsPerSec = 200;
const events = 2_000;
const rounds = 3;

export interface StreamResult {
  readonly name: string;
  readonly wanted: string;
  readonly ours_ms: Percentiles;
  readonly peer_ms: Percentiles;
  readonly ratio: number;
  readonly rounds: readonly { readonly ours: number; readonly peer: number }[];
  readonly kib_per_stream: { readonly ours: number; readonly peer: number };
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Side {
  readonly pid: number;
  /** Whether each stream has its events in the order of their numbers. */
  readonly isOrdered: boolean;
  readonly feed: (userId: string) => StreamAddress;
  readonly transaction: (state: TransactionState) => StreamAddress;
}

/**
 * From commit to client, over 2,000 open streams of one process: feeds of users and of single transactions. A round fails
 * where an event is lost, doubled or out of order.
 */
export async function measureStream({ base, admin, env, apiPid }: Bench): Promise<StreamResult[]> {
  const key = await makeAgentKey(base, admin);
  const orm = await openOrm(env['DATABASE_URL'] ?? '', 20);
  const fork = () => orm.em.fork();
  const users = await makeUsers(fork(), key.platformId);
  const reader = start('test/bench/stream-reader.ts', {});
  const plain = start('test/bench/plain-stream-server.ts', env);
  const plainUrl = await firstMessage(plain);
  const headersOf = (userId: string) => ({ 'x-api-key': key.secret, 'x-platform-user-id': userId });
  const ours: Side = {
    pid: apiPid,
    isOrdered: true,
    feed: (userId) => ({ url: `${base}/api/v1/events`, headers: headersOf(userId) }),
    transaction: ({ id, buyer_user_id }) => ({
      url: `${base}/api/v1/transactions/${id}/events`,
      headers: headersOf(buyer_user_id),
    }),
  };
  const peer: Side = {
    pid: plain.pid ?? 0,
    isOrdered: false,
    feed: (userId) => ({ url: `${plainUrl}/?user=${userId}`, headers: {} }),
    transaction: ({ id }) => ({ url: `${plainUrl}/?transaction=${id}`, headers: {} }),
  };
  const seen: { ours: Round; peer: Round }[] = [];
  // The first warms up, and tells what streams take of memory.
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 === 0 ? ours : peer;
    const one = await playRound(fork, users, reader, first);
    const other = await playRound(fork, users, reader, first === ours ? peer : ours);
    seen.push(first === ours ? { ours: one, peer: other } : { ours: other, peer: one });
  }
  await orm.close(true);
  return [summary(seen)];
}

function summary(seen: readonly { readonly ours: Round; readonly peer: Round }[]): StreamResult {
  const counted = seen.slice(1);
  const medians = (side: 'ours' | 'peer'): Percentiles => ({
    p50: median(counted.map((round) => round[side].p50)),
    p99: median(counted.map((round) => round[side].p99)),
    max: median(counted.map((round) => round[side].max)),
  });
  // What a process has grown to it keeps.
  const kib = (side: 'ours' | 'peer') => seen[0]?.[side].kibPerStream ?? Number.NaN;
  return {
    name: `${feeds + followed} streams, ${eventsPerSec} events/s: p99 from commit to client / LISTEN and write`,
    wanted: '< 100 ms',
    ours_ms: medians('ours'),
    peer_ms: medians('peer'),
    ratio: rounded(medians('ours').p99 / medians('peer').p99),
    rounds: counted.map((round) => ({ ours: round.ours.p99, peer: round.peer.p99 })),
    kib_per_stream: { ours: kib('ours'), peer: kib('peer') },
  };
}

interface Round extends Percentiles {
  readonly kibPerStream: number;
}

async function playRound(fork: () => Em, users: readonly string[], reader: ChildProcess, side: Side): Promise<Round> {
  const transactions = await Promise.all(
    Array.from({ length: followed }, (_, index) =>
      makeTransaction(fork(), users[index * 2] ?? '', users[index * 2 + 1] ?? ''),
    ),
  );
  if (events > transactions.length * stepsOfLife) throw new Error('the transactions do not live long enough');
  const before = await residentKibOf(side.pid);
  await ask(reader, { open: [...users.map(side.feed), ...transactions.map(side.transaction)] });
  const commits = await writeSteps(fork, transactions, events, eventsPerSec);
  // Each event goes to its two parties and to whoever follows the transaction.
  const expected = events * 3;
  const frames = (await ask(reader, { collect: expected, withinMs: 10_000 })) as readonly Frame[];
  const grownKib = (await residentKibOf(side.pid)) - before;
  await ask(reader, { close: true });
  const known = frames.filter(({ transaction_id, step }) => commits.has(`${transaction_id}/${step}`));
  check(known, expected, side.isOrdered);
  return { ...latency(known, commits), kibPerStream: rounded(grownKib / (feeds + followed)) };
}

/** Throws where an event was lost or came twice, or out of order. */
function check(frames: readonly Frame[], expected: number, isOrdered: boolean): void {
  const last = new Map<number, bigint>();
  for (const { stream, seq } of frames) {
    if (isOrdered && BigInt(seq) <= (last.get(stream) ?? 0n)) throw new Error(`stream ${stream}: ${seq} came too late`);
    last.set(stream, BigInt(seq));
  }
  const different = new Set(frames.map(({ stream, seq }) => `${stream}/${seq}`));
  if (frames.length !== expected || different.size !== expected)
    throw new Error(`${frames.length} events came, ${different.size} different ones, instead of ${expected}`);
}

function latency(frames: readonly Frame[], commits: Commits): Percentiles {
  const times = frames
    .map((frame) => frame.receivedMs - (commits.get(`${frame.transaction_id}/${frame.step}`) ?? Number.NaN))
    .toSorted((a, b) => a - b);
  // An event may reach a client before the commit's answer reaches the writer.
  const at = (share: number) => rounded(Math.max(0, times[Math.floor((times.length - 1) * share)] ?? Number.NaN));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function ask(reader: ChildProcess, order: ReaderOrder): Promise<unknown> {
  reader.send(order);
  const [answer] = (await once(reader, 'message', { signal: AbortSignal.timeout(120_000) })) as [unknown];
  return answer;
}

async function makeUsers(em: Em, platformId: string): Promise<string[]> {
  const ids = Array.from({ length: feeds }, () => v7());
  const at = new Date();
  await em.transactional(async (inner) => {
    for (const id of ids) {
      const user = { id, email: null, passwordHash: null, displayName: 'Bench', roles: ['user'], at } as const;
      await createUser(inner, { ...user, grantUt: '1000' });
      await grantPlatform(inner, platformId, id, at);
    }
  });
  return ids;
}
