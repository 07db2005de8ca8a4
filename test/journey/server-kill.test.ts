import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Stack } from '../../ops/stack/stack.ts';
import type { Parties } from '../bench/parties.ts';
import { insist, send } from './caller.ts';
import { killServer, openMarketplaceWithStack, type Marketplace } from './marketplace.ts';
import {
  buy,
  checkLedger,
  createBy,
  openTrade,
  operationOf,
  reach,
  settle,
  stands,
  transactionsOf,
  transfersOf,
  whileHeld,
} from './trade.ts';

const limitMs = 90_000;
const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let stack: Stack;
let parties: Parties;
beforeAll(async () => {
  ({ marketplace, stack } = await openMarketplaceWithStack(cleanup));
});
beforeEach(async () => {
  parties = await openTrade(marketplace);
});
afterAll(() => cleanup.disposeAsync());

describe('a PostgreSQL that is killed in the middle', () => {
  it('undoes what was not committed, and the same key finishes it', { timeout: limitMs }, async () => {
    const [id, other] = [await buy(marketplace, parties), await buy(marketplace, parties)];
    const freeze = operationOf(id, 'freeze', parties.buyer);
    const [held, whileAway] = await whileHeld(marketplace, freeze, async (one) => {
      const { back } = await killServer(stack, 'postgres');
      const asks = [
        operationOf(other, 'freeze', parties.buyer),
        createBy(parties),
        { method: 'GET', path: '/api/v1/wallet', as: parties.buyer } as const,
        { method: 'GET', path: `/api/v1/transactions/${id}`, as: parties.seller } as const,
      ];
      const answers = await Promise.all(asks.map((ask) => send(marketplace.base(), ask)));
      await back();
      return [one, answers] as const;
    });
    const unavailable = { status: 503, code: 5030, retryAfter: '2' };
    expect(whileAway).toEqual(whileAway.map(() => expect.objectContaining(unavailable) as unknown));
    const first = await held.answer;
    if (first.status !== 200) expect(first).toMatchObject(unavailable);
    await reach(marketplace, freeze, 'frozen');
    expect(await transfersOf(marketplace, id)).toEqual(['freeze']);
    expect(await transfersOf(marketplace, other)).toEqual([]);
    await settle(marketplace, parties, id);
    await reach(marketplace, operationOf(other, 'cancel', parties.buyer), 'cancelled_by_buyer');
    await checkLedger(marketplace);
  });
});

describe('a Temporal that is killed in the middle', () => {
  it('hears of the posted step when it is back, and the same key finishes it', { timeout: limitMs }, async () => {
    const id = await buy(marketplace, parties);
    const freeze = operationOf(id, 'freeze', parties.buyer);
    const create = createBy(parties);
    const { held, back, whileAway } = await whileHeld(marketplace, freeze, async (one) => {
      const killed = await killServer(stack, 'temporal');
      await one.release();
      return { held: one, back: killed.back, whileAway: insist(marketplace.base, create) };
    });
    await stands(marketplace, id, 'frozen');
    await back();
    const first = await held.answer;
    if (first.status !== 200) expect(first).toMatchObject({ code: 5030, retryAfter: '2' });
    await reach(marketplace, freeze, 'frozen');
    const { answer: made } = await whileAway;
    expect(made).toMatchObject({ status: 201 });
    expect(await transfersOf(marketplace, id)).toEqual(['freeze']);
    await settle(marketplace, parties, id);
    expect(await transactionsOf(marketplace, parties)).toEqual([
      [id, 'settled'],
      [String(made.data['id']), 'pending'],
    ]);
    await checkLedger(marketplace);
  });

  it(
    'together with the API, leaves the outcome to the same key, and the workflow follows',
    { timeout: limitMs },
    async () => {
      const id = await buy(marketplace, parties);
      const freeze = operationOf(id, 'freeze', parties.buyer);
      const { back } = await whileHeld(marketplace, freeze, async (held) => {
        await marketplace.api.kill();
        const killed = await killServer(stack, 'temporal');
        await held.release();
        return killed;
      });
      await stands(marketplace, id, 'frozen');
      await back();
      await marketplace.api.start();
      await reach(marketplace, freeze, 'frozen');
      expect(await transfersOf(marketplace, id)).toEqual(['freeze']);
      await settle(marketplace, parties, id);
      await checkLedger(marketplace);
    },
  );
});
