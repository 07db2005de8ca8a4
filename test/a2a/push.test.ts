import { createHash, createPublicKey, randomUUID, verify, type JsonWebKey } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { act, buyUpTo, openMarket, type Data, type Market } from '../api/purchase.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { clientOf, legacyClientOf, legacyMessage, message, post, rpc, v0Path, v0Send } from './agent-client.ts';
import { openPushReceiver, type Notification, type PushReceiver } from './push-receiver.ts';

let service: Service;
let receiver: PushReceiver;
let market: Market;
let buyer: Client;
let path: string;
beforeAll(async () => {
  receiver = await openPushReceiver();
  service = await startService({ WEBHOOK_RETRY_SCHEDULE: '200ms,200ms,200ms' }, { webhooks: true });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  const agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  buyer = await clientOf(service, agent);
  path = `/${randomUUID()}`;
});

const config = (taskId: string, more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  tenant: '',
  id: '',
  taskId,
  url: receiver.url(path),
  token: '',
  authentication: undefined,
  ...more,
});

/** What came to the present path, once there is as much as is waited for; what came twice is there once. */
async function arrived(count: number, where = path): Promise<Notification[]> {
  const once = () => [
    ...new Map(receiver.seen(where).map((seen) => [seen.headers['webhook-id'], seen] as const)).values(),
  ];
  await expect.poll(() => once().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  return once();
}

const result = { rain: 3 };

/** Trades from the freeze on to the end, without a pause. */
async function tradeOn(id: string): Promise<void> {
  for (const [person, operation, body] of [
    [market.buyer, 'freeze'],
    [market.seller, 'accept'],
    [market.seller, 'deliver', { result_payload: result }],
    [market.buyer, 'confirm'],
  ] as const) {
    expect((await act(person, id, operation, body)).code).toBe(0);
  }
}

/** The statuses of the marketplace that notifications tell of. */
const statusesOf = (seen: readonly Notification[]) =>
  seen.map(({ body }) => {
    const task = (body['task'] ?? body['statusUpdate'] ?? body) as { metadata: { transaction: Data } };
    return task.metadata.transaction['status'];
  });

const wholeTrade = ['frozen', 'accepted', 'delivered', 'confirmed', 'settled'];

/** By the platform's published keys alone, as a stranger who shares no secret with it. */
async function isSigned({ headers, text }: Notification): Promise<boolean> {
  const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] };
  const signed = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`);
  const [, signature = ''] = /^v1a,(\S+)$/.exec(String(headers['webhook-signature'])) ?? [];
  const checks = keys.map((key) =>
    verify(null, signed, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64')),
  );
  return checks.filter(Boolean).length === 1;
}

it('posts each step of a whole purchase in order, signed, in 1.0', async () => {
  const id = await buyUpTo(market, 'pending');
  const authentication = { scheme: 'Basic', credentials: 'dXNlcjpwYXNz' };
  const made = await buyer.createTaskPushNotificationConfig(config(id, { token: 'a-token', authentication }));
  expect(made).toEqual(config(id, { id: made.id, authentication: { scheme: 'Basic', credentials: '' } }));
  await tradeOn(id);
  const seen = await arrived(5);
  expect(statusesOf(seen)).toEqual(wholeTrade);
  expect(seen.map(({ body }) => Object.keys(body))).toEqual([
    ['statusUpdate'],
    ['statusUpdate'],
    ['task'],
    ['statusUpdate'],
    ['statusUpdate'],
  ]);
  expect(seen[0]?.body).toMatchObject({ statusUpdate: { taskId: id, status: { state: 'TASK_STATE_SUBMITTED' } } });
  expect(seen[2]?.body).toMatchObject({ task: { id, artifacts: [{ parts: [{ data: result }] }] } });
  expect(seen[4]?.body).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  for (const one of seen) {
    expect(one.headers).toMatchObject({
      'content-type': 'application/a2a+json',
      'x-a2a-notification-token': 'a-token',
      authorization: 'Basic dXNlcjpwYXNz',
    });
    expect(await isSigned(one)).toBe(true);
    expect(await isSigned({ ...one, text: one.text.replace(id, randomUUID()) })).toBe(false);
  }
});

it('posts the task itself in 0.3, as the task is read then', async () => {
  const client = await legacyClientOf(service, market.buyer);
  const id = await buyUpTo(market, 'pending');
  const given = {
    url: receiver.url(path),
    token: 'a-token',
    authentication: { schemes: ['Bearer'], credentials: 'x' },
  };
  const made = await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: given });
  const shown = { id, url: given.url, authentication: { schemes: ['Bearer'] } };
  expect(made).toEqual({ taskId: id, pushNotificationConfig: shown });
  const byId = rpc('tasks/pushNotificationConfig/get', { id, pushNotificationConfigId: id });
  expect((await post(service, '/api/v1/a2a', byId, market.buyer)).body.result).toEqual(made);
  expect(await client.getTaskPushNotificationConfig({ id })).toEqual(made);
  expect(await client.listTaskPushNotificationConfig({ id })).toEqual([made]);
  await tradeOn(id);
  const seen = await arrived(5);
  expect(statusesOf(seen)).toEqual(wholeTrade);
  expect(seen[4]?.body).toEqual(await client.getTask({ id }));
  expect(seen[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-a2a-notification-token': 'a-token',
    authorization: 'Bearer x',
  });
  expect(await isSigned(seen[4] as Notification)).toBe(true);
});

const askV0 = async (method: string, params: Data, person: Person = market.buyer) =>
  (await post(service, v0Path, rpc(method, params), person)).body;

it('posts the task under the own ids of the client in v0.1, and takes the config away for null', async () => {
  const id = randomUUID();
  const pushNotification = { url: receiver.url(path), token: 'a-token' };
  const bought = await askV0('tasks/send', {
    ...v0Send(id, { capability_id: market.capabilityId }),
    sessionId: 'session 1',
    pushNotification,
  });
  expect(bought.result.status.state).toBe('input-required');
  const shown = { id, pushNotificationConfig: { url: receiver.url(path) } };
  expect((await askV0('tasks/pushNotification/get', { id })).result).toEqual(shown);
  await tradeOn(bought.result.metadata.transaction.id as string);
  const seen = await arrived(5);
  expect(statusesOf(seen)).toEqual(wholeTrade);
  const last = (await askV0('tasks/get', { id })).result as Data;
  expect(seen[4]?.body).toEqual({ ...last, sessionId: 'session 1' });
  expect(seen[4]?.headers['x-a2a-notification-token']).toBe('a-token');
  expect(await isSigned(seen[0] as Notification)).toBe(true);
  const none = await askV0('tasks/pushNotification/set', { id, pushNotificationConfig: null });
  expect(none.result).toEqual({ id, pushNotificationConfig: null });
});

it('posts all that comes after the answer to a message that brought its config', async () => {
  const request = message({ capability_id: market.capabilityId }, { metadata: { freeze: true } });
  if (request.configuration) request.configuration.taskPushNotificationConfig = config('');
  const task = (await buyer.sendMessage(request)) as { id: string };
  // A client with one receiver sends it with every message.
  const again = message({ operation: 'dispute', reason: 'late' }, { taskId: task.id });
  if (again.configuration) again.configuration.taskPushNotificationConfig = config('');
  await act(market.seller, task.id, 'accept');
  await act(market.seller, task.id, 'deliver', { result_payload: result });
  await buyer.sendMessage(again);
  await act(market.seller, task.id, 'reject');
  const seen = await arrived(4);
  expect(statusesOf(seen)).toEqual(['accepted', 'delivered', 'disputed', 'rejected_by_seller']);
  const { configs } = await buyer.listTaskPushNotificationConfig({
    tenant: '',
    taskId: task.id,
    pageSize: 0,
    pageToken: '',
  });
  expect(configs).toHaveLength(1);
});

it('takes the config of a 0.3 message too, and buys nothing where the config cannot be', async () => {
  const client = await legacyClientOf(service, market.buyer);
  const request = legacyMessage({ capability_id: market.capabilityId }, { metadata: { freeze: true } });
  const wrong = { ...request, configuration: { blocking: false, pushNotificationConfig: { url: 'ftp://a.example' } } };
  await expect(client.sendMessage(wrong)).rejects.toThrow('invalid fields');
  expect((await market.buyer.call('GET', '/api/v1/transactions')).data.total).toBe(0);
  const right = { ...request, configuration: { blocking: false, pushNotificationConfig: { url: receiver.url(path) } } };
  const { id } = (await client.sendMessage(right)) as { id: string };
  await client.cancelTask({ id });
  expect(statusesOf(await arrived(1))).toEqual(['cancelled_by_buyer']);
  // Of words nothing happens that could be told.
  const words = { ...legacyMessage('weather'), configuration: right.configuration };
  expect(await client.sendMessage(words)).toMatchObject({ status: { state: 'input-required' } });
});

it('shows a JWT of its own where the receiver asks for Bearer and gives no credentials', async () => {
  const id = await buyUpTo(market, 'pending');
  await buyer.createTaskPushNotificationConfig(config(id, { authentication: { scheme: 'Bearer', credentials: '' } }));
  await act(market.buyer, id, 'freeze');
  const [seen] = await arrived(1);
  const token = String(seen?.headers.authorization).replace(/^Bearer /, '');
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, {
    issuer: service.settings.publicUrl,
    audience: receiver.url(path),
    requiredClaims: ['iat', 'exp', 'jti'],
  });
  const hash = createHash('sha256')
    .update(seen?.text ?? '')
    .digest('hex');
  expect(payload).toMatchObject({ taskId: id, request_body_sha256: hash });
  // It says who posts, and is good for nothing else.
  expect((await service.call('GET', '/api/v1/wallet', undefined, { authorization: `Bearer ${token}` })).status).toBe(
    401,
  );
});

it('comes again where it was refused, under the same id, and later steps still come', async () => {
  // The first of a stream is the task as it is once the config stands.
  const request = message({ capability_id: market.capabilityId });
  if (request.configuration) request.configuration.taskPushNotificationConfig = config('');
  let id = '';
  for await (const { payload } of buyer.sendMessageStream(request))
    id = payload?.$case === 'task' ? payload.value.id : id;
  receiver.answer(path, ({ body }, ordinal) =>
    ordinal === 1 && JSON.stringify(body).includes('"frozen"') ? 503 : 200,
  );
  await act(market.buyer, id, 'freeze');
  await act(market.buyer, id, 'cancel');
  await expect.poll(() => receiver.seen(path).length, { timeout: 20_000 }).toBe(3);
  const ids = receiver.seen(path).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  expect(ids.filter((one) => one === ids[0])).toHaveLength(2);
});

it('waits with the next step until a slow receiver has answered the one before', async () => {
  const id = await buyUpTo(market, 'pending');
  await buyer.createTaskPushNotificationConfig(config(id));
  const first = Promise.withResolvers<number>();
  receiver.answer(path, async (_seen, ordinal) => (ordinal === 1 ? await first.promise : 200));
  await act(market.buyer, id, 'freeze');
  await arrived(1);
  await act(market.buyer, id, 'cancel');
  const other = `/${randomUUID()}`;
  const otherId = await buyUpTo(market, 'pending');
  await buyer.createTaskPushNotificationConfig(config(otherId, { url: receiver.url(other) }));
  await act(market.buyer, otherId, 'cancel');
  // Somebody else's later news has come by now.
  await arrived(1, other);
  expect(receiver.seen(path)).toHaveLength(1);
  first.resolve(200);
  expect(statusesOf(await arrived(2))).toEqual(['frozen', 'cancelled_by_buyer']);
});

it('stops when the config is deleted, which may be said twice', async () => {
  const id = await buyUpTo(market, 'pending');
  const kept = `/${randomUUID()}`;
  await buyer.createTaskPushNotificationConfig(config(id, { id: 'first' }));
  await buyer.createTaskPushNotificationConfig(config(id, { id: 'second', url: receiver.url(kept) }));
  await buyer.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'first' });
  await buyer.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'first' });
  await act(market.buyer, id, 'cancel');
  await arrived(1, kept);
  expect(receiver.seen(path)).toEqual([]);
  const get = (configId: string) => buyer.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: configId });
  await expect(get('first')).rejects.toThrow('no such push notification config');
  // It ended with the task, and can still be read.
  expect((await get('second')).url).toBe(receiver.url(kept));
});
