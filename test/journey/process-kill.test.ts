import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Parties } from '../bench/parties.ts';
import { insist, send } from './caller.ts';
import { openMarketplace, updateCountOf, type Marketplace } from './marketplace.ts';
import {
  buy,
  checkLedger,
  createBy,
  openTrade,
  operationOf,
  reach,
  settle,
  stands,
  statusOf,
  transactionsOf,
  transfersOf,
  whileHeld,
} from './trade.ts';

const limitMs = 60_000;
const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let parties: Parties;
beforeAll(async () => {
  marketplace = await openMarketplace(inject('stack'), cleanup);
});
beforeEach(async () => {
  parties = await openTrade(marketplace);
});
afterAll(() => cleanup.disposeAsync());

async function updatesBecome(id: string, count: number): Promise<void> {
  await pollUntil(`${count} Updates in the history`, { timeoutMs: 30_000, everyMs: 100 }, async () => {
    expect(await updateCountOf(marketplace, id)).toBe(count);
  });
}

describe('a worker that is killed between the posting and the answer', () => {
  it('is followed by another one that repeats the step, and money moves once', { timeout: limitMs }, async () => {
    const id = await buy(marketplace, parties);
    const freeze = operationOf(id, 'freeze', parties.buyer);
    const { answer } = await whileHeld(marketplace, freeze, async (held) => {
      await marketplace.worker.kill();
      expect(await statusOf(marketplace, id)).toBe('pending');
      await held.release();
      return held;
    });
    await stands(marketplace, id, 'frozen');
    // The creation alone: what PostgreSQL has recorded, the workflow has not heard of.
    expect(await updateCountOf(marketplace, id)).toBe(1);
    await marketplace.worker.start();
    const first = await answer;
    if (first.status !== 200) expect(first).toMatchObject({ code: 5030, retryAfter: '2' });
    const again = await reach(marketplace, freeze, 'frozen');
    await updatesBecome(id, 2);
    if (first.status === 200) expect(again.answer.data).toEqual(first.data);
    expect(await transfersOf(marketplace, id)).toEqual(['freeze']);
    await settle(marketplace, parties, id);
    expect(await transfersOf(marketplace, id)).toEqual(['freeze', 'settle']);
    await checkLedger(marketplace);
  });

  it(
    'leaves the answer of a posted step to the same key, even while no worker runs',
    { timeout: limitMs },
    async () => {
      const id = await buy(marketplace, parties);
      const freeze = operationOf(id, 'freeze', parties.buyer);
      await whileHeld(marketplace, freeze, async (held) => {
        await marketplace.worker.kill();
        await held.release();
      });
      await stands(marketplace, id, 'frozen');
      const { answer } = await insist(marketplace.base, freeze);
      expect(answer).toMatchObject({ status: 200, data: { status: 'frozen' } });
      // Another key is not told that it did what was done already.
      const other = send(marketplace.base(), operationOf(id, 'freeze', parties.buyer));
      await marketplace.worker.start();
      const { code } = await other;
      expect([4090, 5030]).toContain(code);
      await settle(marketplace, parties, id);
      expect(await transfersOf(marketplace, id)).toEqual(['freeze', 'settle']);
      await checkLedger(marketplace);
    },
  );
});

describe('an API that is killed while an operation is under way', () => {
  it('leaves the outcome to the same key, and money moves once', { timeout: limitMs }, async () => {
    const id = await buy(marketplace, parties);
    const freeze = operationOf(id, 'freeze', parties.buyer);
    const { answer } = await whileHeld(marketplace, freeze, async (held) => {
      await marketplace.api.kill();
      await held.release();
      return held;
    });
    expect(await answer).toMatchObject({ status: 0 });
    await marketplace.api.start();
    await reach(marketplace, freeze, 'frozen');
    await updatesBecome(id, 2);
    expect(await transfersOf(marketplace, id)).toEqual(['freeze']);
    await settle(marketplace, parties, id);
    await checkLedger(marketplace);
  });

  it('leaves one transaction to the same key, where it was making one', { timeout: limitMs }, async () => {
    const create = createBy(parties);
    const { answer } = await whileHeld(marketplace, create, async (held) => {
      await marketplace.api.kill();
      await held.release();
      return held;
    });
    expect(await answer).toMatchObject({ status: 0 });
    await marketplace.api.start();
    const { answer: again } = await insist(marketplace.base, create);
    expect(again).toMatchObject({ status: 201, data: { status: 'pending' } });
    expect(await transactionsOf(marketplace, parties)).toEqual([[String(again.data['id']), 'pending']]);
    await reach(marketplace, operationOf(String(again.data['id']), 'cancel', parties.buyer), 'cancelled_by_buyer');
    await checkLedger(marketplace);
  });
});
