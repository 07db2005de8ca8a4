import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetEndedConfigs } from '../../domain/store/webhook-config.store.ts';
import { keyOf } from '../api/limited-key.ts';
import { act, buyUpTo, openMarket, type Data, type Market } from '../api/purchase.ts';
import { startService, type AgentPerson, type Service } from '../harness.ts';
import { clientOf, message, post, rpc, v0Path, v0Send } from './agent-client.ts';

let service: Service;
let market: Market;
let agent: AgentPerson;
let buyer: Client;
let id: string;
beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_PRIVATE: 'false' });
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  buyer = await clientOf(service, agent);
  id = await buyUpTo(market, 'pending');
});

const url = 'https://receiver.example/push';
const config = (more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  tenant: '',
  id: '',
  taskId: id,
  url,
  token: '',
  authentication: undefined,
  ...more,
});
const create = async (more: Partial<TaskPushNotificationConfig> = {}) =>
  await buyer.createTaskPushNotificationConfig(config(more));
const list = async (client = buyer) =>
  (await client.listTaskPushNotificationConfig({ tenant: '', taskId: id, pageSize: 0, pageToken: '' })).configs;

async function refusal(work: Promise<unknown>): Promise<{ envelopeCode: number; data: { metadata: Data }[] }> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).not.toBeNull();
  return thrown as { envelopeCode: number; data: { metadata: Data }[] };
}

it('makes one config for an id, and one for an address without an id; again replaces', async () => {
  const first = await create();
  expect((await create({ token: 'other' })).id).toBe(first.id);
  await create({ id: 'mine', url: 'https://a.example' });
  await create({ id: 'mine', url: 'https://b.example', authentication: { scheme: 'Bearer', credentials: 'x' } });
  expect((await list()).map((one) => [one.id, one.url, one.authentication?.scheme])).toEqual([
    [first.id, url, undefined],
    ['mine', 'https://b.example', 'Bearer'],
  ]);
  const both = [create({ id: 'twice' }), create({ id: 'twice' })];
  expect((await Promise.all(both)).map((one) => one.id)).toEqual(['twice', 'twice']);
  expect(await list()).toHaveLength(3);
});

it('never shows token and credentials again, in no generation, and keeps them sealed', async () => {
  const secrets = ['the-token-of-it', 'the-credentials-of-it'] as const;
  const made = await create({ token: secrets[0], authentication: { scheme: 'Basic', credentials: secrets[1] } });
  const params = { id, taskId: id };
  const ask = async (path: string, method: string, more: Data, version = '0.3') =>
    (await post(service, path, rpc(method, { ...params, ...more }), agent, { 'a2a-version': version })).body as Data;
  const shown = [
    made,
    await list(),
    await ask('/api/v1/a2a', 'tasks/pushNotificationConfig/list', {}),
    await ask('/api/v1/a2a', 'tasks/pushNotificationConfig/get', { pushNotificationConfigId: made.id }),
    await ask('/api/v1/a2a', 'GetTaskPushNotificationConfig', { id: made.id }, '1.0'),
    await ask(v0Path, 'tasks/pushNotification/set', {
      pushNotificationConfig: { url, token: secrets[0], authentication: { schemes: ['X'], credentials: secrets[1] } },
    }),
  ];
  for (const one of shown) {
    const text = JSON.stringify(one);
    expect(text).toContain(url);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  const rows = await service.em.execute<{ text: string }[]>(
    `select row_to_json(w)::text as text from webhook w union all select row_to_json(a)::text from audit_entry a`,
  );
  const hex = secrets.map((secret) => Buffer.from(secret).toString('hex'));
  for (const { text } of rows) for (const secret of [...secrets, ...hex]) expect(text).not.toContain(secret);
  const audited = await service.em.execute<Data[]>(
    `select distinct action, data->>'transaction_id' as task from audit_entry where target_type = 'webhook'
     and api_key_id = ?`,
    [agent.apiKeyId],
  );
  expect(audited).toEqual([{ action: 'webhook.create', task: id }]);
});

it('is for the parties of a task, each with configs of their own', async () => {
  await create({ id: 'mine' });
  const seller = await clientOf(service, market.seller);
  expect(await list(seller)).toEqual([]);
  await seller.createTaskPushNotificationConfig(config({ id: 'mine', url: 'https://seller.example' }));
  expect((await list()).map((one) => one.url)).toEqual([url]);
  await seller.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'mine' });
  expect(await list()).toHaveLength(1);
  const stranger = await clientOf(service, await service.human());
  for (const work of [
    () => stranger.createTaskPushNotificationConfig(config()),
    () => stranger.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'mine' }),
    () => list(stranger),
    () => stranger.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'mine' }),
  ])
    expect((await refusal(work())).envelopeCode).toBe(-32_001);
  expect(await list()).toHaveLength(1);
});

it.each([
  ['an address of this machine', { url: 'http://127.0.0.1:5432/' }],
  ['an address of the network', { url: 'http://[::ffff:10.0.0.1]/' }],
  ['a name of the network', { url: 'http://postgres.internal/' }],
  ['another protocol', { url: 'file:///etc/passwd' }],
  ['no address', { url: '' }],
  ['an address with credentials', { url: 'https://a:b@receiver.example' }],
  ['an address without end', { url: `${url}?${'a'.repeat(2_000)}` }],
  ['a token that makes a header of its own', { token: 'a\r\nHost: b' }],
  ['a token without end', { token: 'a'.repeat(1_001) }],
  ['credentials that make a header', { authentication: { scheme: 'Basic', credentials: 'a\nb: c' } }],
  ['a scheme that makes a header', { authentication: { scheme: 'Basic x\r\n', credentials: 'a' } }],
  ['a scheme that needs credentials', { authentication: { scheme: 'Basic', credentials: '' } }],
  ['credentials without a scheme', { authentication: { scheme: '', credentials: 'a' } }],
  ['an id without end', { id: 'a'.repeat(201) }],
] as const)('refuses %s, in every way in', async (_name, wrong) => {
  expect((await refusal(create(wrong))).envelopeCode).toBe(-32_602);
  const request = message({ capability_id: market.capabilityId }, { metadata: { freeze: true } });
  if (request.configuration) request.configuration.taskPushNotificationConfig = config({ ...wrong, taskId: '' });
  expect((await refusal(buyer.sendMessage(request))).envelopeCode).toBe(-32_602);
  const { url: address, token, authentication } = config(wrong);
  const given = {
    url: address,
    ...(token === '' ? {} : { token }),
    ...(authentication && {
      authentication: {
        schemes: [authentication.scheme],
        ...(authentication.credentials === '' ? {} : { credentials: authentication.credentials }),
      },
    }),
  };
  if (!('id' in wrong)) {
    const asV0 = { ...v0Send('a task', { capability_id: market.capabilityId }), pushNotification: given };
    expect((await post(service, v0Path, rpc('tasks/send', asV0), agent)).body.error.code).toBe(-32_602);
  }
  expect((await agent.call('GET', '/api/v1/transactions')).data.total).toBe(1);
  expect(await list()).toEqual([]);
});

it.each([
  ['a number for an address', { url: 5 }],
  ['an object for a token', { url, token: { length: 1 } }],
  ['no config', undefined],
])('refuses %s of 0.3', async (_name, pushNotificationConfig) => {
  const set = rpc('tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig });
  expect((await post(service, '/api/v1/a2a', set, agent)).body.error.code).toBe(-32_602);
});

it.each([undefined, 5, '', 'a\0b', { a: 1 }])('knows no config of the id %j, and deletes none', async (given) => {
  await create({ id: 'mine' });
  for (const verb of ['get', 'delete']) {
    const params = { id, pushNotificationConfigId: given };
    const { body } = await post(service, '/api/v1/a2a', rpc(`tasks/pushNotificationConfig/${verb}`, params), agent);
    // Without an id 0.3 reads the one there is.
    const isRead = verb === 'get' && (given === undefined || given === '');
    expect(body.error?.code).toBe(isRead || verb === 'delete' ? undefined : -32_001);
  }
  expect(await list()).toHaveLength(1);
});

it('has ten configs for a task at most; a message that brings one more is done all the same, and says so', async () => {
  const ten = Array.from({ length: 12 }, (_, index) => create({ id: `config-${index}` }));
  const made = await Promise.allSettled(ten);
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await list()).toHaveLength(10);
  const full = await refusal(create({ id: 'another' }));
  expect(full).toMatchObject({ envelopeCode: -32_000, data: [{ metadata: { error: 'conflict', limit: '10' } }] });
  const request = message({ operation: 'freeze' }, { taskId: id });
  if (request.configuration) request.configuration.taskPushNotificationConfig = config({ id: 'another' });
  expect(await buyer.sendMessage(request)).toMatchObject({
    metadata: { transaction: { status: 'frozen' }, refusal: { code: 4093 } },
  });
});

it('refuses a task that has ended, and one that is only proposed', async () => {
  const proposal = (await buyer.sendMessage(message('weather'))) as { id: string };
  expect((await refusal(create({ taskId: proposal.id }))).envelopeCode).toBe(-32_004);
  await act(agent, id, 'cancel');
  expect((await refusal(create())).envelopeCode).toBe(-32_004);
});

it('takes a key that may read what is told, and act on the task', async () => {
  const withKey = async (operations: string[]) => {
    const { apiKey } = await keyOf(service, agent, { operations });
    const headers = { ...(await agent.headers()), 'x-api-key': apiKey };
    return await clientOf(service, { ...agent, headers: async () => headers });
  };
  const request = message({ capability_id: market.capabilityId });
  if (request.configuration) request.configuration.taskPushNotificationConfig = config({ taskId: '' });
  const [blind, looking] = [await withKey(['buy']), await withKey(['read', 'sell'])];
  const works = [
    () => blind.sendMessage(request),
    () => blind.createTaskPushNotificationConfig(config()),
    () => list(blind),
    () => looking.createTaskPushNotificationConfig(config()),
    () => looking.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'mine' }),
  ];
  for (const work of works)
    expect(await refusal(work())).toMatchObject({ data: [{ metadata: { error: 'forbidden' } }] });
  expect((await agent.call('GET', '/api/v1/transactions')).data.total).toBe(1);
  expect(await list(looking)).toEqual([]);
  const able = await withKey(['read', 'buy']);
  await able.createTaskPushNotificationConfig(config());
  expect(await list(looking)).toHaveLength(1);
});

it('takes no more than acting on the task to take its config away, in every generation', async () => {
  const { apiKey } = await keyOf(service, agent, { operations: ['buy'] });
  const headers = { ...(await agent.headers()), 'x-api-key': apiKey };
  const acting = { ...agent, headers: async () => headers };
  const ask = async (path: string, method: string, more: Data, version: string) =>
    (await post(service, path, rpc(method, { id, taskId: id, ...more }), acting, { 'a2a-version': version })).body;
  await create({ id });
  const asV0 = await ask(v0Path, 'tasks/pushNotification/set', { pushNotificationConfig: null }, '0.1');
  expect(asV0.result).toEqual({ id, pushNotificationConfig: null });
  expect(await list()).toEqual([]);
  await create({ id });
  const legacy = { pushNotificationConfigId: id };
  expect((await ask('/api/v1/a2a', 'tasks/pushNotificationConfig/delete', legacy, '0.3')).error).toBeUndefined();
  expect(await list()).toEqual([]);
  await create({ id });
  expect((await ask('/api/v1/a2a', 'DeleteTaskPushNotificationConfig', {}, '1.0')).error).toBeUndefined();
  expect(await list()).toEqual([]);
});

it('keeps the config of a task that ended for a while, and then forgets it', async () => {
  await create({ id: 'mine' });
  const later = new Date(Date.now() + 60_000);
  const forget = async () => await forgetEndedConfigs(service.em, later, 100);
  await forget();
  expect(await list()).toHaveLength(1);
  await act(agent, id, 'cancel');
  expect(await list()).toHaveLength(1);
  expect(await forgetEndedConfigs(service.em, new Date(Date.now() - 60_000), 100)).toBe(0);
  expect(await forget()).toBe(1);
  expect(await list()).toEqual([]);
});
