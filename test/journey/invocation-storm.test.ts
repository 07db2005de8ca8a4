import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { addUt, formatUt, subtractUt, ut, zeroUt, type MicroUt } from '../../domain/ut.ts';
import type { Call } from '../seller/call-log.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { invokeBy, openBuyer, openMember, sellCall, transactionIdOf, type Buyer, type Member } from './call-trade.ts';
import { insist, type Answer } from './caller.ts';
import { openMarketplace, withDatabase, type Marketplace } from './marketplace.ts';
import { checkLedger, operationOf, reach, walletOf } from './trade.ts';

const limitMs = 420_000;
const invocationCount = 1_000;
const clientCount = 25;
const killCount = 10;
const answersBetweenKills = 60;
const buyerCount = 4;
const credit = '100000';
/** A seller each; no amount is a sum of others that could hide a wrong one. */
const prices = ['1.00', '10.07', '100.0003'];
const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let server: SellerProcess;
beforeAll(async () => {
  server = await startSeller();
  cleanup.defer(() => server.stop());
  marketplace = await openMarketplace(inject('stack'), cleanup);
});
afterAll(() => cleanup.disposeAsync());

/** What a seller does, for how many of a hundred invocations, and what it should lead to. */
interface Kind {
  readonly path: string;
  readonly share: number;
  readonly leadsTo: 'charge' | 'delivery' | 'refusal' | 'failure';
  readonly callback_timeout_sec: number;
}

/** Time for a worker that is replaced several times. */
const patient = { callback_timeout_sec: 30 };
const kinds: readonly Kind[] = [
  { path: '/fast', share: 27, leadsTo: 'charge', ...patient },
  { path: '/slow?ms=50', share: 11, leadsTo: 'charge', ...patient },
  { path: '/slow?ms=120', share: 11, leadsTo: 'charge', ...patient },
  { path: '/slow?ms=200', share: 11, leadsTo: 'charge', ...patient },
  { path: '/flaky?fail=2', share: 10, leadsTo: 'charge', ...patient },
  { path: '/reset-once', share: 6, leadsTo: 'charge', ...patient },
  { path: '/later', share: 12, leadsTo: 'delivery', ...patient },
  { path: '/refuse', share: 6, leadsTo: 'refusal', ...patient },
  { path: '/invalid-json', share: 4, leadsTo: 'refusal', ...patient },
  { path: '/broken', share: 2, leadsTo: 'failure', callback_timeout_sec: 5 },
];

/** One of each hundred, in an order that mixes them: 37 and 100 have no common divisor. */
function kindOf(index: number): Kind {
  let slot = (index * 37) % 100;
  for (const kind of kinds) {
    if (slot < kind.share) return kind;
    slot -= kind.share;
  }
  throw new Error('the shares are no hundred');
}

/** One seller's price, and their capability of each kind. */
interface Shop {
  readonly seller: Member;
  readonly price: string;
  readonly capabilityIds: ReadonlyMap<Kind, string>;
}

interface Crowd {
  readonly buyers: readonly Buyer[];
  readonly shops: readonly Shop[];
}

/** What one invocation came to, by what its clients were told. */
interface Ended {
  readonly kind: Kind;
  readonly id: string;
  readonly buyer: Buyer;
  readonly shop: Shop;
  readonly status: 'settled' | 'failed' | 'rejected_by_seller';
}

/** What the clients of a storm have seen so far. */
interface Course {
  begun: number;
  readonly ended: Ended[];
}

async function gather(): Promise<Crowd> {
  const buyers: Buyer[] = [];
  while (buyers.length < buyerCount) buyers.push(await openBuyer(marketplace, credit));
  const shops: Shop[] = [];
  for (const price of prices) {
    const seller = await openMember(marketplace);
    const capabilityIds = new Map<Kind, string>();
    for (const kind of kinds) {
      const terms = { price_ut: price, callback_timeout_sec: kind.callback_timeout_sec };
      capabilityIds.set(kind, await sellCall(marketplace, seller, server, kind.path, terms));
    }
    shops.push({ seller, price, capabilityIds });
  }
  return { buyers, shops };
}

/** One client: an invocation after the other, each with one key until there is a final answer. */
async function shop(crowd: Crowd, course: Course): Promise<void> {
  while (course.begun < invocationCount) course.ended.push(await invokeOne(crowd, course.begun++));
}

async function invokeOne({ buyers, shops }: Crowd, index: number): Promise<Ended> {
  const [kind, buyer, one] = [kindOf(index), buyers[index % buyers.length], shops[index % shops.length]];
  const capabilityId = one?.capabilityIds.get(kind);
  if (buyer === undefined || one === undefined || capabilityId === undefined) throw new Error('nobody trades');
  const ask = invokeBy(buyer, capabilityId, { index });
  // Some clients are in such a hurry that they ask three times at once.
  const askedAtOnce = index % 20 === 3 ? 3 : 1;
  const outcomes = await Promise.all(Array.from({ length: askedAtOnce }, () => insist(marketplace.base, ask, 150_000)));
  const [answer, ...others] = outcomes.map((outcome) => outcome.answer);
  if (answer === undefined) throw new Error('nobody asked');
  for (const other of others) expect([other.code, other.data], kind.path).toEqual([answer.code, answer.data]);
  const id = transactionIdOf(buyer, ask);
  expect(answer.data, JSON.stringify(answer)).toMatchObject({ transaction_id: id });
  const status = await statusAfter(answer, kind, { id, index, buyer, shop: one });
  return { kind, id, buyer, shop: one, status };
}

/** Checks that the answer is one that its kind may have; where the seller delivers later, goes on to the end. */
async function statusAfter(
  answer: Answer,
  kind: Kind,
  { id, index, buyer, shop: { seller, price } }: Pick<Ended, 'id' | 'buyer' | 'shop'> & { index: number },
): Promise<Ended['status']> {
  const shown = `${kind.path} ${JSON.stringify(answer)}`;
  // Whatever a seller does, the time may be over before a worker is there to see it.
  if (answer.code === 5040) return 'failed';
  if (answer.code === 5020) {
    if (kind.path === '/refuse') expect(answer.data, shown).toMatchObject({ reason: 'http_4xx', http_status: 422 });
    if (kind.path === '/invalid-json') expect(answer.data, shown).toMatchObject({ reason: 'not_json_object' });
    return 'failed';
  }
  expect(answer, shown).toMatchObject({ status: 200, code: 0 });
  if (kind.leadsTo === 'charge') {
    const result = { answer: 'done', echo: { index }, transaction_id: id };
    expect(answer.data, shown).toMatchObject({ charged_ut: price, result });
    return 'settled';
  }
  expect(kind.leadsTo, shown).toBe('delivery');
  expect(answer.data, shown).toMatchObject({ charged_ut: '0', result: null });
  if (Math.floor(index / 100) % 2 === 0) {
    await reach(marketplace, operationOf(id, 'reject', seller.as), 'rejected_by_seller');
    return 'rejected_by_seller';
  }
  const delivery = { result_payload: { index } };
  await reach(marketplace, operationOf(id, 'deliver', seller.as, delivery), 'delivered');
  await reach(marketplace, operationOf(id, 'confirm', buyer.as), 'settled');
  return 'settled';
}

/** Waits until so many more have ended, so that each kill hits invocations that are under way. */
async function goesOn(course: Course): Promise<void> {
  const wanted = course.ended.length + answersBetweenKills;
  await pollUntil(`${answersBetweenKills} more answers`, { timeoutMs: 90_000, everyMs: 10 }, async () => {
    if (course.ended.length < wanted) throw new Error(`${wanted - course.ended.length} to go`);
  });
}

/** Waits until the seller has calls to answer, so that the kill cuts them. */
async function callsAreUnderWay({ databaseUrl }: Marketplace): Promise<void> {
  // Those that an earlier kill has cut never end; no call of the storm takes a second.
  const sql = `select from callback_delivery where ended_at is null and started_at > now() - interval '1 second' limit 3`;
  await withDatabase(databaseUrl, async (client) => {
    await pollUntil('three calls under way', { timeoutMs: 30_000, everyMs: 2 }, async () => {
      if ((await client.query(sql)).rowCount !== 3) throw new Error('fewer');
    });
  });
}

/** A transaction as it stands, with what was posted and recorded for it. */
interface Stored {
  readonly id: string;
  readonly status: string;
  readonly held_ut: string;
  readonly transfers: readonly string[];
  /** Calls that were answered for good, as far as it was recorded. */
  readonly final: number;
  /** Calls that a worker began and did not hear the end of. */
  readonly cut: number;
}

async function storedOf({ databaseUrl }: Marketplace): Promise<ReadonlyMap<string, Stored>> {
  const sql = `select t.id, t.status, t.held_ut,
      array(select kind from transfer where transaction_id = t.id order by created_at, kind) as transfers,
      count(*) filter (where d.outcome in ('answered', 'accepted', 'refused'))::integer as final,
      count(*) filter (where d.id is not null and (d.outcome is null or d.outcome = 'timed_out' or d.reason = 'cancelled'))::integer as cut
    from transaction t left join callback_delivery d on d.transaction_id = t.id group by t.id`;
  const { rows } = await withDatabase(databaseUrl, (client) => client.query<Stored>(sql));
  return new Map(rows.map((row) => [row.id, row]));
}

const transfersAt: Readonly<Record<Ended['status'], readonly string[]>> = {
  settled: ['freeze', 'settle'],
  failed: ['freeze', 'unfreeze'],
  rejected_by_seller: ['freeze', 'unfreeze'],
};

/** Every transaction is as its clients were told, and what was posted for it agrees. */
function checkTransactions(ended: readonly Ended[], stored: ReadonlyMap<string, Stored>): void {
  expect(stored.size).toBe(invocationCount);
  for (const { id, kind, status } of ended) {
    const row = stored.get(id);
    expect(row, kind.path).toMatchObject({ status, held_ut: '0.000000', transfers: transfersAt[status] });
    expect(row?.final, `${kind.path} ${id}`).toBeLessThanOrEqual(1);
    if (kind.leadsTo === 'charge' && status === 'settled') expect(row?.final, `${kind.path} ${id}`).toBe(1);
  }
}

/**
 * Sellers are called at least once, and know a repetition by its key. At most one of their answers is recorded; another
 * one was given only to a call that a worker began and did not hear the end of.
 */
function checkCalls(calls: readonly Call[], stored: ReadonlyMap<string, Stored>): void {
  const answers = new Map<string, number>();
  for (const { transaction_id, verified, idempotency_key, webhook_id, answered, status } of calls) {
    expect([verified, idempotency_key, webhook_id]).toEqual([true, transaction_id, transaction_id]);
    const id = transaction_id ?? '';
    if (answered && (status ?? 500) < 500) answers.set(id, (answers.get(id) ?? 0) + 1);
  }
  const wrong = [...stored.values()].filter(({ id, final, cut }) => {
    const given = answers.get(id) ?? 0;
    return given < final || given > final + cut;
  });
  expect(wrong).toEqual([]);
}

/** The wallets hold exactly what the answers say: nothing was charged twice, nothing was lost. */
async function checkWallets({ buyers, shops }: Crowd, ended: readonly Ended[]): Promise<void> {
  const settledOf = (isOne: (one: Ended) => boolean): MicroUt =>
    ended
      .filter((one) => one.status === 'settled' && isOne(one))
      .reduce((sum, one) => addUt(sum, ut(one.shop.price)), zeroUt);
  for (const buyer of buyers) {
    const spent = settledOf((one) => one.buyer === buyer);
    const left = {
      available_ut: formatUt(subtractUt(ut(credit), spent)),
      frozen_ut: '0.00',
      spent_ut: formatUt(spent),
    };
    expect(await walletOf(marketplace, buyer.as)).toMatchObject(left);
  }
  for (const one of shops) {
    const earned = formatUt(settledOf((other) => other.shop === one));
    const gained = { available_ut: earned, frozen_ut: '0.00', earned_ut: earned };
    expect(await walletOf(marketplace, one.seller.as)).toMatchObject(gained);
  }
}

describe('a storm of invocations', () => {
  it(
    'whose worker is killed ten times charges for every result once, and for nothing else',
    { timeout: limitMs },
    async () => {
      const crowd = await gather();
      const course: Course = { begun: 0, ended: [] };
      const clients = Promise.all(Array.from({ length: clientCount }, () => shop(crowd, course)));
      // One that fails ends the storm at its next wait.
      clients.catch(() => undefined);
      for (let killed = 0; killed < killCount; killed++) {
        await Promise.race([goesOn(course), clients]);
        expect(course.begun).toBeLessThan(invocationCount);
        await callsAreUnderWay(marketplace);
        await marketplace.worker.kill();
        await marketplace.worker.start();
      }
      await clients;
      const { ended } = course;
      const stored = await storedOf(marketplace);
      checkTransactions(ended, stored);
      checkCalls(await server.calls(), stored);
      await checkWallets(crowd, ended);
      await checkLedger(marketplace);
      // The kills did hit calls, and all the same most of them came to what they should.
      expect([...stored.values()].filter(({ cut }) => cut > 0).length).toBeGreaterThan(killCount);
      const good = ended.filter(({ kind }) => kind.leadsTo === 'charge' || kind.leadsTo === 'delivery');
      expect(good.filter(({ status }) => status === 'failed').length).toBeLessThan(good.length / 20);
    },
  );
});
