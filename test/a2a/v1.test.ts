import { randomUUID } from 'node:crypto';
import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { act, balances, buyUpTo, openMarket, type Data, type Market } from '../api/purchase.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { clientOf, message } from './agent-client.ts';

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
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  buyer = await clientOf(service, agent);
  seller = await clientOf(service, market.seller);
});

const freeze = { metadata: { freeze: true } };

async function ask(client: Client, content: string | Data, more = {}, wait = false): Promise<Task> {
  return (await client.sendMessage(message(content, more, wait))) as Task;
}

async function purchase(more = {}): Promise<Task> {
  return await ask(buyer, { capability_id: market.capabilityId }, more);
}

const statusOf = (task: Task) => (task.metadata?.['transaction'] as Data | undefined)?.['status'];

/** Says what came: the kind, and the state where there is one. */
function told({ payload }: StreamResponse): string {
  const status = payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status : undefined;
  return [payload?.$case, ...(status === undefined ? [] : [TaskState[status.state]])].join(' ');
}

async function refusal(work: Promise<unknown>): Promise<{ envelopeCode: number; message: string; metadata: Data }> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).not.toBeNull();
  return thrown as { envelopeCode: number; message: string; metadata: Data };
}

it('buys, and trades to the end, between an agent and a human', async () => {
  const task = await purchase(freeze);
  expect(task.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  expect(statusOf(task)).toBe('frozen');
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  const accepted = await ask(seller, { operation: 'accept' }, { taskId: task.id });
  expect(accepted.status?.state).toBe(TaskState.TASK_STATE_WORKING);
  const delivered = await ask(seller, { operation: 'deliver', result_payload: { rain: 3 } }, { taskId: task.id });
  expect(delivered.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(delivered.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: { rain: 3 } });
  const settled = await ask(buyer, { operation: 'confirm' }, { taskId: task.id, contextId: task.contextId });
  expect(settled.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
  const rest = await market.buyer.call('GET', `/api/v1/transactions/${task.id}`);
  expect(rest.data).toMatchObject({
    status: 'settled',
    context_id: task.contextId,
    capability_id: market.capabilityId,
  });
});

it('streams a purchase until it needs the buyer, and a confirmation to its end', async () => {
  const events: StreamResponse[] = [];
  const request = message({ capability_id: market.capabilityId }, freeze);
  for await (const event of buyer.sendMessageStream(request)) {
    events.push(event);
    if (event.payload?.$case !== 'task') continue;
    await act(market.seller, event.payload.value.id, 'accept');
    await act(market.seller, event.payload.value.id, 'deliver', { result_payload: { rain: 3 } });
  }
  expect(events.map(told)).toEqual([
    'task TASK_STATE_SUBMITTED',
    'statusUpdate TASK_STATE_WORKING',
    'artifactUpdate',
    'statusUpdate TASK_STATE_INPUT_REQUIRED',
  ]);
  const [first] = events;
  const id = first?.payload?.$case === 'task' ? first.payload.value.id : '';
  const last: string[] = [];
  for await (const event of buyer.sendMessageStream(message({ operation: 'confirm' }, { taskId: id })))
    last.push(told(event));
  expect(last).toEqual(['task TASK_STATE_COMPLETED']);
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '0.00', seller: '10.00' });
});

it('lets both parties follow a task from where it is, and refuses one that has ended', async () => {
  const id = await buyUpTo(market, 'delivered');
  const events: string[] = [];
  for await (const event of seller.resubscribeTask({ tenant: '', id })) {
    events.push(told(event));
    if (events.length === 1) await act(market.buyer, id, 'confirm');
  }
  expect(events).toEqual([
    'task TASK_STATE_INPUT_REQUIRED',
    'statusUpdate TASK_STATE_WORKING',
    'statusUpdate TASK_STATE_COMPLETED',
  ]);
  const again = seller.resubscribeTask({ tenant: '', id }).next();
  expect((await refusal(again)).envelopeCode).toBe(-32_004);
});

it('proposes capabilities for words, and buys on the same task', async () => {
  const asked = await ask(buyer, 'I am looking for hourly weather, please');
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const [, data] = asked.status?.message?.parts ?? [];
  const { proposals } = (data?.content?.$case === 'data' ? data.content.value : {}) as { proposals: Data[] };
  expect(proposals[0]).toMatchObject({ title: 'Weather data', price_ut: '10.00' });
  const read = await buyer.getTask({ tenant: '', id: asked.id });
  expect([read.contextId, read.status?.state]).toEqual([asked.contextId, TaskState.TASK_STATE_INPUT_REQUIRED]);
  const bought = await purchase({ taskId: asked.id, contextId: asked.contextId, ...freeze });
  expect([bought.id, bought.contextId, statusOf(bought)]).toEqual([asked.id, asked.contextId, 'frozen']);
  const twice = await refusal(purchase({ taskId: asked.id }));
  expect(twice.envelopeCode).toBe(-32_602);
  expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  await expect(ask(seller, 'more words', { taskId: asked.id })).rejects.toThrow('bought already');
  const nothing = await ask(buyer, 'zzyzx qwertz');
  expect(nothing.status?.message?.parts).toHaveLength(2);
  const foreign = await clientOf(service, await service.agent());
  expect((await refusal(foreign.getTask({ tenant: '', id: nothing.id }))).envelopeCode).toBe(-32_001);
});

it('does a message once, however often it is sent', async () => {
  const request = message({ capability_id: market.capabilityId }, freeze);
  const [first, second] = [await buyer.sendMessage(request), await buyer.sendMessage(request)] as Task[];
  expect(second?.id).toBe(first?.id);
  const other = structuredClone(request);
  if (other.message) other.message.parts = message({ capability_id: randomUUID() }).message?.parts ?? [];
  expect((await refusal(buyer.sendMessage(other))).message).toContain('Idempotency-Key');
  const keyed = { ...freeze, metadata: { freeze: true, idempotency_key: randomUUID() } };
  expect((await purchase(keyed)).id).toBe((await purchase(keyed)).id);
  const byHeader = await clientOf(service, market.buyer, { 'idempotency-key': randomUUID() });
  const body = { capability_id: market.capabilityId };
  expect((await ask(byHeader, body)).id).toBe((await ask(byHeader, body)).id);
  expect(await balances(market)).toEqual({ buyer: '80.00', frozen: '20.00', seller: '0.00' });
});

it('keeps a purchase whose freeze is refused, and says why', async () => {
  const poor = await clientOf(service, await service.agent());
  const task = await ask(poor, { capability_id: market.capabilityId }, freeze);
  expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(task.metadata).toMatchObject({ transaction: { status: 'pending' }, refusal: { code: 4020 } });
  const again = await refusal(ask(poor, { operation: 'freeze' }, { taskId: task.id }));
  expect(again.envelopeCode).toBe(-32_000);
});

it('waits for a seller who answers at once, where the client waits', async () => {
  const task = await purchase();
  const waiting = ask(buyer, { operation: 'freeze' }, { taskId: task.id }, true);
  await expect
    .poll(async () => (await market.seller.call('POST', `/api/v1/transactions/${task.id}/accept`)).code)
    .toBe(0);
  await act(market.seller, task.id, 'deliver');
  expect(statusOf(await waiting)).toBe('delivered');
});

it('cancels for the buyer, while it can be', async () => {
  const task = await purchase(freeze);
  expect((await refusal(seller.cancelTask({ tenant: '', id: task.id, metadata: undefined }))).envelopeCode).toBe(
    -32_002,
  );
  const canceled = await buyer.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  expect((await buyer.cancelTask({ tenant: '', id: task.id, metadata: undefined })).id).toBe(task.id);
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  const id = await buyUpTo(market, 'accepted');
  const late = await refusal(buyer.cancelTask({ tenant: '', id, metadata: undefined }));
  expect(late).toMatchObject({ envelopeCode: -32_002 });
});

it('lists tasks of both roles, last changed first, by state, context and page', async () => {
  const query = {
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
  };
  const first = await purchase();
  const second = await purchase(freeze);
  await ask(buyer, { operation: 'freeze' }, { taskId: first.id });
  const third = await buyUpTo(market, 'settled');
  const ids = async (client: Client, more = {}) => {
    const { tasks, totalSize } = await client.listTasks({ ...query, ...more });
    return [totalSize, ...tasks.map(({ id }) => id)];
  };
  expect(await ids(buyer)).toEqual([3, third, first.id, second.id]);
  expect(await ids(seller, { status: TaskState.TASK_STATE_SUBMITTED })).toEqual([2, first.id, second.id]);
  expect(await ids(buyer, { status: TaskState.TASK_STATE_AUTH_REQUIRED })).toEqual([0]);
  expect(await ids(buyer, { contextId: second.contextId })).toEqual([1, second.id]);
  const page = await buyer.listTasks({ ...query, pageSize: 2 });
  expect(page.tasks.map(({ id }) => id)).toEqual([third, first.id]);
  const next = await buyer.listTasks({ ...query, pageSize: 2, pageToken: page.nextPageToken });
  expect([next.tasks.map(({ id }) => id), next.nextPageToken]).toEqual([[second.id], '']);
});

it('shows a task to its parties only, and refuses what is not theirs to do', async () => {
  const task = await purchase(freeze);
  const stranger: Person = await service.human();
  const client = await clientOf(service, stranger);
  expect((await refusal(client.getTask({ tenant: '', id: task.id }))).envelopeCode).toBe(-32_001);
  expect((await refusal(ask(client, { operation: 'accept' }, { taskId: task.id }))).envelopeCode).toBe(-32_001);
  expect((await refusal(client.cancelTask({ tenant: '', id: task.id, metadata: undefined }))).envelopeCode).toBe(
    -32_001,
  );
  expect((await refusal(client.resubscribeTask({ tenant: '', id: task.id }).next())).envelopeCode).toBe(-32_001);
  const wrongRole = await refusal(ask(buyer, { operation: 'accept' }, { taskId: task.id }));
  expect(wrongRole).toMatchObject({ envelopeCode: -32_000, data: [{ metadata: { error: 'not_a_party' } }] });
  const own = await refusal(ask(seller, { capability_id: market.capabilityId }));
  expect(own).toMatchObject({ envelopeCode: -32_000, data: [{ metadata: { error: 'self_dealing', code: '4035' } }] });
  const early = await refusal(ask(buyer, { operation: 'confirm' }, { taskId: task.id }));
  expect(early).toMatchObject({ envelopeCode: -32_004, data: [{ metadata: { status: 'frozen' } }] });
});
