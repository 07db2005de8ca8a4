import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { offer, register } from '../api/capability-offer.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { clientOf, message, post, rpc, v0Path } from './agent-client.ts';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await startService();
  person = await service.human();
});
afterAll(async () => {
  await service.close();
});

const path = '/api/v1/a2a';
const v1 = { 'a2a-version': '1.0' };

/** Where a request goes, and what makes it one of this generation. */
const generations = [
  ['0.1', v0Path, {}, 'tasks/get'],
  ['0.3', path, {}, 'tasks/get'],
  ['0.3', path, { 'a2a-version': '0.3' }, 'tasks/get'],
  ['1.0', path, v1, 'GetTask'],
] as const;

it.each(generations)('in %s at %s %o every error is JSON-RPC', async (_, url, headers, method) => {
  const told = async (body: unknown, who: Person | null = person, more = {}, at: string = url) => {
    const answer = await post(service, at, body, who, { ...headers, ...more });
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      error: { code: expect.any(Number), message: expect.any(String) },
    });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    return [answer.status, answer.body.id, answer.body.error.code];
  };
  const id = randomUUID();
  const good = rpc(method, { id }, 7);
  expect(await told('{"jsonrpc"')).toEqual([400, null, -32_700]);
  expect(await told(good, person, { 'content-type': 'text/plain' })).toEqual([415, null, -32_005]);
  expect(await told([good])).toEqual([200, null, -32_600]);
  expect(await told({ ...good, jsonrpc: '1.0' })).toEqual([200, 7, -32_600]);
  expect(await told({ ...good, id: {} })).toEqual([200, null, -32_600]);
  expect(await told({ ...good, id: 'a', method: 'no/such' })).toEqual([200, 'a', -32_601]);
  expect(await told({ jsonrpc: '2.0', id: 7, method: 'no/such' })).toEqual([200, 7, -32_601]);
  expect(await told({ ...good, params: [1] })).toEqual([200, 7, -32_602]);
  expect(await told(good)).toEqual([200, 7, -32_001]);
  expect(await told(good, person, {}, `${url}/`)).toEqual([200, 7, -32_001]);
  expect((await told(good, null))[0]).toBe(401);
  expect((await told(good, null, { authorization: 'Bearer nonsense' }))[0]).toBe(401);
  expect((await told(good, null, { 'x-api-key': 'nonsense', 'x-platform-user-id': id }))[0]).toBe(401);
  expect(await told({ ...good, padding: 'x'.repeat(300_000) })).toEqual([413, null, -32_600]);
  expect(await told(good, person, {}, `${url}/nowhere`)).toEqual([404, 7, -32_600]);
  expect(await told(good, person, {}, `${url}/%zz`)).toEqual([400, null, -32_600]);
});

it.each(['GET', 'PUT', 'DELETE'])('a %s is told by JSON-RPC what to do instead', async (method) => {
  for (const url of [path, v0Path]) {
    const response = await fetch(service.url + url, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } });
  }
});

it('refuses a version that it does not speak', async () => {
  const { body } = await post(service, path, rpc('GetTask', { id: randomUUID() }), person, { 'a2a-version': '2.0' });
  expect(body.error).toMatchObject({ code: -32_009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] });
});

it('names in 1.0 what was wrong as ErrorInfo, in 0.3 as an object', async () => {
  const parts = [{ data: { capability_id: randomUUID(), price: 1 } }];
  const params = { message: { messageId: randomUUID(), role: 'ROLE_USER', parts } };
  const { body } = await post(service, path, rpc('SendMessage', params), person, v1);
  expect(body.error.data[0]).toMatchObject({ reason: 'INVALID_PARAMS', metadata: { code: '4000' } });
  expect(body.error.data[0].metadata.errors).toContain('price');
  const legacy = { message: { messageId: randomUUID(), role: 'user', parts: [{ kind: 'data', ...parts[0] }] } };
  const old = await post(service, path, rpc('message/send', legacy), person);
  expect(old.body.error).toMatchObject({ code: -32_602, data: { code: 4000, errors: [{ path: 'price' }] } });
});

const code = async (parts: unknown, more = {}) => {
  const given = { messageId: randomUUID(), role: 'ROLE_USER', parts, ...more };
  return (await post(service, path, rpc('SendMessage', { message: given }), person, v1)).body.error?.code;
};

it('refuses messages that say nothing, or nothing that is read here', async () => {
  expect(await code([])).toBe(-32_602);
  expect(await code([{}])).toBe(-32_602);
  expect(await code([null])).toBe(-32_602);
  expect(await code([{ url: 'https://a.example' }])).toBe(-32_005);
  expect(await code([{ data: 1 }])).toBe(-32_602);
  expect(await code([{ data: {} }, { data: {} }])).toBe(-32_602);
  expect(await code([{ data: { operation: 'resolve' } }])).toBe(-32_602);
  expect(await code([{ data: { operation: 'accept' } }])).toBe(-32_602);
  expect(await code([{ data: { operation: 'accept' } }], { taskId: randomUUID() })).toBe(-32_001);
  expect(await code([{ text: 'a' }], { contextId: 'mine' })).toBe(-32_602);
  expect(await code([{ text: 'a' }], { messageId: '' })).toBe(-32_602);
  expect(await code([{ text: 'a' }], { role: 'ROLE_AGENT' })).toBe(-32_602);
});

it('keeps the limits of a key, and of callers without one', async () => {
  const limited = await startService({ RATE_LIMIT_PER_MIN: '2' });
  try {
    const human = await limited.human();
    const ask = () => post(limited, path, rpc('GetTask', { id: randomUUID() }), human, v1);
    await ask();
    await ask();
    const refused = await ask();
    expect([refused.status, refused.body.error.code]).toEqual([429, -32_000]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});

it('lets a key that may only read look, and not buy', async () => {
  const agent = await service.agent();
  const seller = await service.human();
  const capability = await register(seller, { ...offer, pricing_model: 'subscription' });
  await service.em.execute(`update api_key set operations = '{read}' where id = ?`, [agent.apiKeyId]);
  const client = await clientOf(service, agent);
  const asked = await client.sendMessage(message('company register'));
  expect('status' in asked).toBe(true);
  await expect(client.sendMessage(message({ capability_id: capability.id }))).rejects.toThrow('may not buy');
});

it('answers a stream that is refused before its first event as JSON', async () => {
  const params = {
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { operation: 'accept' } }] },
  };
  for (const method of ['SendStreamingMessage', 'SubscribeToTask']) {
    const given = method === 'SubscribeToTask' ? { id: randomUUID() } : params;
    const { headers, body } = await post(service, path, rpc(method, given), person, v1);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.error.code).toBe(method === 'SubscribeToTask' ? -32_001 : -32_602);
  }
});

const refused = async (method: string, headers = {}, more = {}) => {
  const params = { id: randomUUID(), taskId: randomUUID(), ...more };
  return (await post(service, path, rpc(method, params), person, headers)).body.error.code;
};

it('has no push notifications for a task that is not there, and no extended card', async () => {
  const url = 'https://a.example';
  for (const verb of ['Create', 'Get', 'Delete'])
    expect(await refused(`${verb}TaskPushNotificationConfig`, v1, { url })).toBe(-32_001);
  expect(await refused('CreateTaskPushNotificationConfig', v1)).toBe(-32_602);
  expect(await refused('ListTaskPushNotificationConfigs', v1)).toBe(-32_001);
  expect(await refused('GetExtendedAgentCard', v1)).toBe(-32_007);
  const config = { taskId: randomUUID(), id: randomUUID(), pushNotificationConfig: { url } };
  for (const verb of ['set', 'get', 'list', 'delete']) {
    const { body } = await post(service, path, rpc(`tasks/pushNotificationConfig/${verb}`, config), person);
    expect(body.error.code).toBe(-32_001);
  }
});
