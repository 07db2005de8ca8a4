import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Parties } from '../bench/parties.ts';
import { send, insist, type Credentials } from './caller.ts';
import { openMarketplace, withDatabase, type ApiNode, type Marketplace } from './marketplace.ts';
import { resumingReader, type ResumingReader } from './resuming-reader.ts';
import { createBy, openTrade, operationOf, reach } from './trade.ts';

const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let other: ApiNode;
beforeAll(async () => {
  marketplace = await openMarketplace(inject('stack'), cleanup);
  other = await marketplace.anotherApi();
});
afterAll(() => cleanup.disposeAsync());

async function userIdOf(as: Credentials): Promise<string> {
  const { data } = await send(marketplace.base(), { method: 'GET', path: '/api/v1/auth/me', as });
  return String(data['id']);
}

async function eventsIn(sql: string, id: string): Promise<string[]> {
  const work = await withDatabase(marketplace.databaseUrl, (client) => client.query<{ seq: string }>(sql, [id]));
  return work.rows.map(({ seq }) => seq);
}
const ofUser = 'select seq from event where $1 = any(audience) order by seq';
const ofTransaction = 'select seq from event where transaction_id = $1 order by seq';

/** Buys and settles: six events. `made` hears of the id. */
async function trade(base: () => string, parties: Parties, made: (id: string) => void): Promise<void> {
  const { answer } = await insist(base, createBy(parties));
  expect(answer.status, JSON.stringify(answer)).toBe(201);
  const id = String(answer.data['id']);
  made(id);
  for (const [operation, by, status] of [
    ['freeze', parties.buyer, 'frozen'],
    ['accept', parties.seller, 'accepted'],
    ['deliver', parties.seller, 'delivered'],
    ['confirm', parties.buyer, 'settled'],
  ] as const)
    await reach({ ...marketplace, base }, operationOf(id, operation, by), status);
}

it('every event comes once and in order, while the APIs are killed in turn', { timeout: 120_000 }, async () => {
  const parties = await openTrade(marketplace);
  const nodes: readonly ApiNode[] = [marketplace, other];
  const dead = new Set<ApiNode>();
  const alive = () => (nodes.find((node) => !dead.has(node)) ?? other).base();
  const feeds = [parties.buyer, parties.seller].map((as) => ({
    as,
    reader: resumingReader(alive, '/api/v1/events?after=0', as, cleanup),
  }));
  const followed: { id: string; reader: ResumingReader }[] = [];
  const made = (id: string) => {
    if (followed.length >= 8) return;
    const reader = resumingReader(alive, `/api/v1/transactions/${id}/events`, parties.seller, cleanup);
    followed.push({ id, reader });
  };
  const readerOfAll = feeds[0]?.reader;
  const killAt = async (node: ApiNode, count: number) => {
    await pollUntil(`${count} events`, { timeoutMs: 60_000, everyMs: 5 }, async () => {
      if ((readerOfAll?.ids.length ?? 0) < count) throw new Error(`${readerOfAll?.ids.length} events`);
    });
    // From here on nobody asks it; whatever it holds breaks.
    dead.add(node);
    await node.api.kill();
  };
  const killBoth = async () => {
    await killAt(marketplace, 60);
    await marketplace.api.start();
    dead.delete(marketplace);
    await killAt(other, 150);
  };
  const tradeMany = async () => {
    for (let round = 0; round < 7; round += 1) await trade(alive, parties, made);
  };
  await Promise.all([killBoth(), ...Array.from({ length: 6 }, tradeMany)]);

  for (const { as, reader } of feeds) {
    const expected = await eventsIn(ofUser, await userIdOf(as));
    expect(expected.length).toBe(6 * 7 * 6);
    await reader.hasRead(expected.length);
    expect(reader.ids).toEqual(expected);
    expect(reader.breaks).toBeGreaterThanOrEqual(2);
  }
  for (const { id, reader } of followed) {
    await reader.ended;
    expect(reader.ids).toEqual(await eventsIn(ofTransaction, id));
  }
});
