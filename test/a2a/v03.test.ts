import type { Task } from '@a2a-js/sdk';
import type { Client } from 'a2a-sdk-0.3/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { act, balances, buyUpTo, openMarket, publish, type Data, type Market } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';
import { legacyClientOf, legacyMessage } from './agent-client.ts';

let service: Service;
let market: Market;
let buyer: Client;
let seller: Client;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  const agent = await service.agent();
  market = { ...(await openMarket(service)), seller: agent, capabilityId: await publish(agent) };
  buyer = await legacyClientOf(service, market.buyer);
  seller = await legacyClientOf(service, market.seller);
});

interface LegacyTask {
  readonly kind: string;
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly Data[] } };
  readonly artifacts?: readonly { readonly parts: readonly Data[] }[];
  readonly metadata: { readonly transaction: Data };
}

async function ask(client: Client, content: string | Data, more: Data = {}): Promise<LegacyTask> {
  return (await client.sendMessage(legacyMessage(content, more))) as unknown as LegacyTask;
}

const freeze = { metadata: { freeze: true } };
const purchase = () => ask(buyer, { capability_id: market.capabilityId }, freeze);

it('buys, and trades to the end, between a human and an agent who sells', async () => {
  const task = await purchase();
  expect(task).toMatchObject({
    kind: 'task',
    status: { state: 'submitted' },
    metadata: { transaction: { status: 'frozen' } },
  });
  expect((await ask(seller, { operation: 'accept' }, { taskId: task.id })).status.state).toBe('working');
  const delivery = { operation: 'deliver', result_payload: { rain: 3 } };
  const delivered = await ask(seller, delivery, { taskId: task.id });
  expect(delivered.status.state).toBe('input-required');
  expect(delivered.artifacts?.[0]?.parts).toEqual([expect.objectContaining({ kind: 'data', data: { rain: 3 } })]);
  const read = (await buyer.getTask({ id: task.id })) as unknown as LegacyTask;
  expect(read.artifacts).toHaveLength(1);
  expect((await ask(buyer, { operation: 'confirm' }, { taskId: task.id })).status.state).toBe('completed');
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
});

type Update = { readonly kind: string; readonly final?: boolean; readonly status?: { readonly state: string } };

const told = ({ kind, status, final }: Update) =>
  [kind, ...(status === undefined ? [] : [status.state]), ...(final === true ? ['final'] : [])].join(' ');

it('streams until the task needs the buyer, and says which update is the last', async () => {
  const events: string[] = [];
  let id = '';
  for await (const event of buyer.sendMessageStream(legacyMessage({ capability_id: market.capabilityId }, freeze))) {
    events.push(told(event));
    if (event.kind !== 'task') continue;
    id = event.id;
    await act(market.seller, id, 'accept');
    await act(market.seller, id, 'deliver', { result_payload: { rain: 3 } });
  }
  expect(events).toEqual([
    'task submitted',
    'status-update working',
    'artifact-update',
    'status-update input-required final',
  ]);
  const again: string[] = [];
  for await (const event of seller.resubscribeTask({ id })) {
    again.push(told(event));
    if (event.kind === 'task') await act(market.buyer, id, 'confirm');
  }
  expect(again).toEqual(['task input-required', 'status-update working', 'status-update completed final']);
});

it('proposes capabilities for words, and buys on the same task', async () => {
  const asked = await ask(buyer, 'hourly weather');
  expect(asked.status.state).toBe('input-required');
  const proposed = asked.status.message?.parts[1]?.['data'] as { proposals: Data[] };
  expect(proposed.proposals[0]).toMatchObject({ title: 'Weather data', price_ut: '10.00' });
  const bought = await ask(
    buyer,
    { capability_id: market.capabilityId },
    { ...freeze, taskId: asked.id, contextId: asked.contextId },
  );
  expect([bought.id, bought.contextId]).toEqual([asked.id, asked.contextId]);
});

it('cancels, does a message once, and refuses what is not there or not allowed', async () => {
  const request = legacyMessage({ capability_id: market.capabilityId }, freeze);
  const [first, second] = [await buyer.sendMessage(request), await buyer.sendMessage(request)] as unknown as Task[];
  expect(second?.id).toBe(first?.id);
  const canceled = (await buyer.cancelTask({ id: first?.id ?? '' })) as unknown as LegacyTask;
  expect(canceled.status.state).toBe('canceled');
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  const late = await buyUpTo(market, 'accepted');
  await expect(buyer.cancelTask({ id: late })).rejects.toThrow('cannot be canceled');
  const rejected = await ask(seller, { operation: 'reject' }, { taskId: late });
  expect(rejected.status.state).toBe('rejected');
  const stranger = await legacyClientOf(service, await service.agent());
  await expect(stranger.getTask({ id: late })).rejects.toThrow('not found');
});
