import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Stack } from '../../ops/stack/stack.ts';
import { untilCalled } from '../api/invoke.ts';
import type { Call } from '../seller/call-log.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import {
  deliveriesOf,
  expectGivenBack,
  expectSettled,
  invokeBy,
  openCallTrade,
  sellCall,
  transactionIdOf,
  type CallTrade,
} from './call-trade.ts';
import { insist, send, type Answer, type Ask, type Outcome } from './caller.ts';
import { whileLocked, type Lock } from './lock.ts';
import { killServer, openMarketplaceWithStack, withDatabase, type Marketplace } from './marketplace.ts';
import { checkLedger, operationOf, reach, stands, walletOf } from './trade.ts';

const limitMs = 120_000;
const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let stack: Stack;
let server: SellerProcess;
let trade: CallTrade;
beforeAll(async () => {
  server = await startSeller();
  cleanup.defer(() => server.stop());
  ({ marketplace, stack } = await openMarketplaceWithStack(cleanup));
});
beforeEach(async () => {
  trade = await openCallTrade(marketplace);
});
afterAll(() => cleanup.disposeAsync());

/** An invocation of a fresh capability, not sent yet. */
async function prepare(path: string, changes?: Readonly<Record<string, unknown>>) {
  const capabilityId = await sellCall(marketplace, trade.seller, server, path, changes);
  const ask = invokeBy(trade.buyer, capabilityId, { place: 'Oslo' });
  return { capabilityId, ask, id: transactionIdOf(trade.buyer, ask) };
}

/** Sends it, and goes on until there is a final answer. */
function begin(ask: Ask): Promise<Outcome> {
  const answering = insist(marketplace.base, ask, 90_000);
  // Whoever waits for it is told; a test that fails before does not.
  answering.catch(() => undefined);
  return answering;
}

async function replaceWorker(): Promise<void> {
  await marketplace.worker.kill();
  await marketplace.worker.start();
}

/** With its worker gone, the statement that it was waiting for is undone, or commits although nobody hears of it. */
const fates = [
  ['is undone', true],
  ['commits all the same', false],
] as const;

async function killAt(lock: Lock, isUndone: boolean): Promise<void> {
  await marketplace.worker.kill();
  if (isUndone) await lock.undoWaiting();
  await lock.release();
}

const result = { answer: 'done', echo: { place: 'Oslo' } };

function expectCharged(answer: Answer, id: string): void {
  const data = { transaction_id: id, charged_ut: '10.00', result: { ...result, transaction_id: id } };
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 0, data });
}

/** Every call of the transaction that the seller saw, all signed and told apart from others by the same key. */
async function callsOf(id: string): Promise<readonly Call[]> {
  const calls = await server.calls({ transactionId: id });
  for (const call of calls) expect(call).toMatchObject({ verified: true, idempotency_key: id, webhook_id: id });
  return calls;
}

async function attemptsOf(id: string): Promise<(number | null)[]> {
  return (await callsOf(id)).map(({ attempt }) => attempt);
}

describe('a worker that is killed before the seller was called', () => {
  it('and before anything was asked, is followed by one that does it all', { timeout: limitMs }, async () => {
    const { ask, id } = await prepare('/fast');
    await marketplace.worker.kill();
    const answering = begin(ask);
    await pollUntil('the request', { timeoutMs: 20_000, everyMs: 20 }, async () => {
      const sql = 'select from idempotency_record where key = $1';
      const { rowCount } = await withDatabase(marketplace.databaseUrl, (client) => client.query(sql, [ask.key]));
      if (rowCount !== 1) throw new Error('not sent yet');
    });
    await marketplace.worker.start();
    expectCharged((await answering).answer, id);
    expect(await attemptsOf(id)).toEqual([1]);
    await expectSettled(marketplace, trade, id);
  });

  it.each(fates)(
    'while the money is frozen, calls once: the note of the call %s',
    { timeout: limitMs },
    async (...[, isUndone]) => {
      const { ask, id } = await prepare('/fast');
      const held = await whileLocked(
        marketplace.databaseUrl,
        ['lock table callback_delivery in exclusive mode'],
        async (lock) => {
          const answering = begin(ask);
          await lock.isWaitedFor();
          expect(await walletOf(marketplace, trade.buyer.as)).toMatchObject({ frozen_ut: '10.00' });
          await killAt(lock, isUndone);
          return { answering };
        },
      );
      await marketplace.worker.start();
      expectCharged((await held.answering).answer, id);
      // An attempt that was noted and never made has had its number.
      expect(await attemptsOf(id)).toEqual([isUndone ? 1 : 2]);
      expect(await server.answerCount(id)).toBe(1);
      await expectSettled(marketplace, trade, id);
    },
  );
});

describe('a worker that is killed during the call', () => {
  it('is followed by one that calls again with the same key, and money moves once', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/slow?ms=2000');
    const answering = begin(ask);
    await untilCalled(server, capabilityId);
    await replaceWorker();
    expectCharged((await answering).answer, id);
    expect(await callsOf(id)).toMatchObject([
      { attempt: 1, answered: false },
      { attempt: 2, answered: true, status: 200 },
    ]);
    expect(await deliveriesOf(marketplace, id)).toEqual([
      { attempt: 1, outcome: null },
      { attempt: 2, outcome: 'answered' },
    ]);
    await expectSettled(marketplace, trade, id);
  });

  it('and stays away until the time is over costs the buyer nothing', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/hang', { callback_timeout_sec: 5 });
    const answering = begin(ask);
    await untilCalled(server, capabilityId);
    await marketplace.worker.kill();
    await pollUntil('the end of the time', { timeoutMs: 20_000, everyMs: 100 }, async () => {
      // What an attempt may take beyond the seller's time, and the clock of the database.
      const sql = `select from transaction where id = $1 and delivery_deadline < now() - interval '2500 milliseconds'`;
      const { rowCount } = await withDatabase(marketplace.databaseUrl, (client) => client.query(sql, [id]));
      if (rowCount !== 1) throw new Error('not yet');
    });
    await marketplace.worker.start();
    const { answer } = await answering;
    expect([5020, 5040], JSON.stringify(answer)).toContain(answer.code);
    expect(answer.data).toMatchObject({ transaction_id: id });
    expect(await attemptsOf(id)).toEqual([1]);
    await expectGivenBack(marketplace, trade, id);
    const { answer: again } = await begin(ask);
    expect(again).toMatchObject({ code: answer.code, data: answer.data });
    expect(await attemptsOf(id)).toEqual([1]);
  });
});

describe('a worker that is killed after the seller has answered', () => {
  it.each(fates)(
    'while the answer was being recorded: it %s, and money moves once',
    { timeout: limitMs },
    async (...[, isUndone]) => {
      const { capabilityId, ask, id } = await prepare('/slow?ms=2000');
      const answering = begin(ask);
      await untilCalled(server, capabilityId);
      const row = ['select from callback_delivery where transaction_id = $1 for update', id] as const;
      await whileLocked(marketplace.databaseUrl, row, async (lock) => {
        await lock.isWaitedFor();
        expect(await server.answerCount(id)).toBe(1);
        await killAt(lock, isUndone);
      });
      await marketplace.worker.start();
      expectCharged((await answering).answer, id);
      // Nobody knows of an answer that was not recorded; one that was is not asked for again.
      expect(await attemptsOf(id)).toEqual(isUndone ? [1, 2] : [1]);
      expect(await deliveriesOf(marketplace, id)).toEqual(
        isUndone
          ? [
              { attempt: 1, outcome: null },
              { attempt: 2, outcome: 'answered' },
            ]
          : [{ attempt: 1, outcome: 'answered' }],
      );
      await expectSettled(marketplace, trade, id);
    },
  );

  it.each(fates)(
    'while it settles: the settlement %s, nobody is called again',
    { timeout: limitMs },
    async (...[, isUndone]) => {
      const { ask, id } = await prepare('/fast');
      const account = ['select from account where owner_id = $1 for update', trade.seller.userId] as const;
      const held = await whileLocked(marketplace.databaseUrl, account, async (lock) => {
        const answering = begin(ask);
        await lock.isWaitedFor();
        expect(await deliveriesOf(marketplace, id)).toEqual([{ attempt: 1, outcome: 'answered' }]);
        await killAt(lock, isUndone);
        return { answering };
      });
      if (isUndone) expect(await walletOf(marketplace, trade.buyer.as)).toMatchObject({ frozen_ut: '10.00' });
      else await stands(marketplace, id, 'settled');
      await marketplace.worker.start();
      expectCharged((await held.answering).answer, id);
      expect(await attemptsOf(id)).toEqual([1]);
      expect(await server.answerCount(id)).toBe(1);
      expect(await deliveriesOf(marketplace, id)).toEqual([{ attempt: 1, outcome: 'answered' }]);
      await expectSettled(marketplace, trade, id);
    },
  );

  it.each(fates)(
    'that it delivers later: the note of it %s, and the trade goes on',
    { timeout: limitMs },
    async (...[, isUndone]) => {
      const { ask, id } = await prepare('/later');
      const held = await whileDeferring(ask, id, async (lock, answering) => {
        expect(await deliveriesOf(marketplace, id)).toEqual([{ attempt: 1, outcome: 'accepted' }]);
        await killAt(lock, isUndone);
        return { answering };
      });
      await marketplace.worker.start();
      const { answer } = await held.answering;
      const data = { transaction_id: id, result: null, charged_ut: '0' };
      expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, data });
      expect(await walletOf(marketplace, trade.buyer.as)).toMatchObject({ available_ut: '90.00', frozen_ut: '10.00' });
      await checkLedger(marketplace);
      const delivery = { result_payload: { done: true } };
      await reach(marketplace, operationOf(id, 'deliver', trade.seller.as, delivery), 'delivered');
      await reach(marketplace, operationOf(id, 'confirm', trade.buyer.as), 'settled');
      expect(await attemptsOf(id)).toEqual([1]);
      await expectSettled(marketplace, trade, id);
      expect((await begin(ask)).answer.data).toEqual(answer.data);
    },
  );
});

/**
 * Sends an invocation whose seller answers 202 and holds the step that this leads to. Its row is there only when the call
 * is about to be made, which therefore waits until the row is locked.
 */
async function whileDeferring<T>(
  ask: Ask,
  id: string,
  work: (lock: Lock, answering: Promise<Outcome>) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = marketplace;
  return await whileLocked(databaseUrl, ['lock table callback_delivery in exclusive mode'], async (call) => {
    const answering = begin(ask);
    await call.isWaitedFor();
    // Deliveries may refer to the row; its columns may not change.
    const row = ['select from transaction where id = $1 for no key update', id] as const;
    return await whileLocked(databaseUrl, row, async (lock) => {
      await call.release();
      await lock.isWaitedFor();
      return await work(lock, answering);
    });
  });
}

describe('an API that is killed during the call', () => {
  it('leaves the outcome to the same key, and nobody is called again', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/slow?ms=2000');
    const first = send(marketplace.base(), ask);
    await untilCalled(server, capabilityId);
    await marketplace.api.kill();
    expect(await first).toMatchObject({ status: 0 });
    await marketplace.api.start();
    expectCharged((await begin(ask)).answer, id);
    expect(await attemptsOf(id)).toEqual([1]);
    expect(await server.answerCount(id)).toBe(1);
    await expectSettled(marketplace, trade, id);
  });
});

describe('a server that is killed during the call', () => {
  it('leaves the outcome to the same key, and nobody is called again: Temporal', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/slow?ms=2000');
    const answering = begin(ask);
    await untilCalled(server, capabilityId);
    const { back } = await killServer(stack, 'temporal');
    await back();
    expectCharged((await answering).answer, id);
    expect(await attemptsOf(id)).toEqual([1]);
    expect(await server.answerCount(id)).toBe(1);
    await expectSettled(marketplace, trade, id);
  });

  it('costs at most another call, and money moves once: PostgreSQL', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/slow?ms=200');
    const answering = begin(ask);
    await untilCalled(server, capabilityId);
    const { back } = await killServer(stack, 'postgres');
    await back();
    expectCharged((await answering).answer, id);
    expect((await callsOf(id)).length).toBeLessThanOrEqual(2);
    const outcomes = (await deliveriesOf(marketplace, id)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1);
    await expectSettled(marketplace, trade, id);
  });

  it('may forget that a call was begun, which costs at most another call', { timeout: limitMs }, async () => {
    const { capabilityId, ask, id } = await prepare('/slow?ms=2000');
    const answering = begin(ask);
    await untilCalled(server, capabilityId);
    // The disk is not waited for when a call is noted: what a crash may leave.
    const sql = 'delete from callback_delivery where transaction_id = $1';
    const { rowCount } = await withDatabase(marketplace.databaseUrl, (client) => client.query(sql, [id]));
    expect(rowCount).toBe(1);
    expectCharged((await answering).answer, id);
    expect((await callsOf(id)).length).toBeLessThanOrEqual(2);
    await expectSettled(marketplace, trade, id);
  });
});
