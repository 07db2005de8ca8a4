import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Parties } from '../bench/parties.ts';
import { openReceiver, type Receiver } from '../webhook/receiver.ts';
import { verified } from '../webhook/subscription.ts';
import { send } from './caller.ts';
import { openMarketplace, withDatabase, type Marketplace } from './marketplace.ts';
import { buy, openTrade, operationOf, reach, settle } from './trade.ts';

const cleanup = new AsyncDisposableStack();
let marketplace: Marketplace;
let parties: Parties;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  cleanup.defer(() => receiver.close());
  marketplace = await openMarketplace(inject('stack'), cleanup);
  parties = await openTrade(marketplace);
});
afterAll(() => cleanup.disposeAsync());

const path = '/events';
const tradeCount = 12;
const eventCount = tradeCount * 6;

async function trade(): Promise<void> {
  const id = await buy(marketplace, parties);
  await reach(marketplace, operationOf(id, 'freeze', parties.buyer), 'frozen');
  await settle(marketplace, parties, id);
}

interface LogRow {
  readonly event_seq: string;
  readonly status: string;
}

async function log(webhookId: string): Promise<LogRow[]> {
  const sql = 'select d.event_seq::text, d.status from webhook_delivery d where d.webhook_id = $1 order by d.event_seq';
  const { rows } = await withDatabase(marketplace.databaseUrl, (client) => client.query<LogRow>(sql, [webhookId]));
  return rows;
}

async function seqsOfTrades(): Promise<string[]> {
  const sql = 'select e.seq::text from event e order by e.seq';
  const { rows } = await withDatabase(marketplace.databaseUrl, (client) => client.query<{ seq: string }>(sql));
  return rows.map(({ seq }) => seq);
}

describe('a worker that is killed again and again in the middle of many deliveries', () => {
  it('leaves each event once in the log and at least once at the receiver', { timeout: 150_000 }, async () => {
    const ask = { method: 'POST', path: '/api/v1/webhooks', as: parties.buyer, key: randomUUID() } as const;
    const made = await send(marketplace.base(), { ...ask, body: { url: receiver.urlOf(path) } });
    expect(made.status).toBe(201);
    const trading = Promise.all(Array.from({ length: tradeCount }, trade));
    for (const count of [3, 15, 35]) {
      await receiver.until(path, count);
      await marketplace.worker.kill();
      await marketplace.worker.start();
    }
    await trading;
    const webhookId = String(made.data['id']);
    await pollUntil('the last delivery', { timeoutMs: 90_000, everyMs: 200 }, async () => {
      const open = (await log(webhookId)).filter(({ status }) => status !== 'delivered');
      if (open.length > 0 || (await log(webhookId)).length < eventCount) throw new Error(`${open.length} are open`);
    });
    const seqs = await seqsOfTrades();
    expect(seqs).toHaveLength(eventCount);
    expect((await log(webhookId)).map(({ event_seq }) => event_seq)).toEqual(seqs);
    const received = receiver.received(path).map((one) => verified(one, String(made.data['secret'])).data['seq']);
    expect([...new Set(received)].toSorted((a, b) => Number(a) - Number(b))).toEqual(seqs);
  });
});
