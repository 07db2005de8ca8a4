import { expect } from 'vitest';
import { runCommand } from '../../ops/support/commands.ts';
import type { Reply, Service } from '../harness.ts';
import { confirm, from, lookUp, poll, start } from './device-flow.ts';
import { offer } from './capability-offer.ts';
import { act, buyUpTo, openMarket, type Data } from './purchase.ts';

/** What a scenario showed somebody once, or was told in confidence: none of it may be in the trail. */
export type Secrets = Set<string>;

const password = 'a password that nobody guesses';
const newPassword = 'another password that nobody guesses';
const wrongPassword = 'a password that is wrong';
const email = 'audited-person@example.com';
const offerTitle = 'A title that only the market should know';

export function dataOf(reply: Reply): Data {
  expect(reply.code, reply.text).toBe(0);
  return reply.data as Data;
}

const bearer = (session: Data) => ({ authorization: `Bearer ${String(session['access_token'])}`, ...from() });

/** A person signs up, is mistaken, signs out, is robbed, changes the password. */
export async function signInScenario(service: Service, secrets: Secrets): Promise<void> {
  const post = async (path: string, body: unknown, headers = from()) =>
    await service.call('POST', `/api/v1/auth/${path}`, body, headers);
  for (const one of [password, newPassword, wrongPassword, email]) secrets.add(one);
  dataOf(await post('register', { email, password, display_name: 'Audited Person' }));
  const login = async (typed: string) => await post('login', { email, password: typed });
  const keep = (session: Data) => {
    secrets.add(String(session['access_token'])).add(String(session['refresh_token']));
    return session;
  };
  expect((await login(wrongPassword)).code).toBe(4010);
  const first = keep(dataOf(await login(password)));
  const second = keep(dataOf(await post('refresh', { refresh_token: first['refresh_token'] })));
  expect((await post('refresh', { refresh_token: first['refresh_token'] })).code).toBe(4010);
  expect((await post('refresh', { refresh_token: second['refresh_token'] })).code).toBe(4010);
  const third = keep(dataOf(await login(password)));
  const change = { current_password: wrongPassword, new_password: newPassword };
  expect((await post('password', change, bearer(third))).code).toBe(4030);
  dataOf(await post('password', { ...change, current_password: password }, bearer(third)));
  dataOf(await post('logout', { refresh_token: third['refresh_token'] }));
  dataOf(await post('logout', { refresh_token: third['refresh_token'] }));
  const fourth = keep(dataOf(await login(newPassword)));
  dataOf(await post('logout-all', undefined, bearer(fourth)));
}

/** An agent is approved, another denied; a code is mistyped; the approved one is taken back. */
export async function deviceScenario(service: Service, secrets: Secrets): Promise<void> {
  const person = await service.human('approver');
  const approved = await start(service.call, 'cursor');
  const denied = await start(service.call, 'cursor');
  for (const { device_code, user_code } of [approved, denied])
    secrets.add(device_code).add(user_code).add(user_code.replace('-', ''));
  const mistyped = 'BBBB-BBBB';
  secrets.add(mistyped);
  expect((await lookUp(person, mistyped)).code).toBe(4040);
  dataOf(await confirm(person, approved.user_code));
  dataOf(await confirm(person, approved.user_code));
  dataOf(await confirm(person, denied.user_code, false));
  for (let times = 0; times < 2; times += 1) secrets.add(String(dataOf(await poll(service.call, approved))['api_key']));
  const [connection] = dataOf(await person.call('GET', '/api/v1/connections'))['items'] as {
    platform_id: string;
    keys: { id: string }[];
  }[];
  const url = `/api/v1/connections/${connection?.platform_id}`;
  dataOf(await person.call('DELETE', `${url}/keys/${connection?.keys[0]?.id}`));
  dataOf(await person.call('DELETE', url));
}

/** An administrator makes a platform and its keys, lets it act for somebody, and takes all of it back. */
export async function platformScenario(service: Service, secrets: Secrets): Promise<void> {
  const { admin } = service;
  const person = await service.human('granter');
  const platform = dataOf(await admin.call('POST', '/api/v1/admin/platforms', { name: 'Audited Platform' }));
  const url = `/api/v1/admin/platforms/${String(platform['id'])}`;
  dataOf(await admin.call('POST', `${url}/grants`, { user_id: person.userId }));
  const limits = { operations: ['read'], addresses: ['10.0.0.0/8'], daily_spend_limit_ut: '5' };
  const key = dataOf(await admin.call('POST', `${url}/keys`, { name: 'audited', ...limits }));
  const keyUrl = `/api/v1/admin/keys/${String(key['id'])}`;
  dataOf(await admin.call('PUT', keyUrl, { addresses: null }));
  const successor = dataOf(await admin.call('POST', `${keyUrl}/rotate`));
  secrets.add(String(key['api_key'])).add(String(successor['api_key']));
  dataOf(await admin.call('DELETE', keyUrl));
  const headers = { 'x-api-key': String(key['api_key']), 'x-platform-user-id': person.userId };
  expect((await service.call('GET', '/api/v1/wallet', undefined, headers)).code).toBe(4012);
  dataOf(await admin.call('DELETE', `${url}/grants/${person.userId}`));
}

/** Money is issued and looked at, and a dispute decided. */
export async function moneyScenario(service: Service, secrets: Secrets): Promise<void> {
  const { admin } = service;
  const market = await openMarket(service);
  const id = await buyUpTo(market, 'disputed');
  const note = 'a note between the two of them';
  const url = `/api/v1/admin/wallets/${market.buyer.userId}`;
  secrets.add(note);
  dataOf(await admin.call('POST', `${url}/credit`, { amount_ut: '3', reason: note }));
  dataOf(await admin.call('GET', url));
  dataOf(await admin.call('GET', `/api/v1/admin/transactions/${id}`));
  dataOf(await admin.call('POST', `/api/v1/admin/transactions/${id}/resolve`, { outcome: 'refund', note }));
  const cancelled = await buyUpTo(market, 'pending');
  dataOf(await act(market.buyer, cancelled, 'cancel'));
  const settled = await buyUpTo(market, 'delivered');
  dataOf(await act(market.buyer, settled, 'request-changes', { note }));
  dataOf(await act(market.seller, settled, 'deliver', { result_payload: { words: note } }));
  dataOf(await act(market.buyer, settled, 'confirm'));
  const rejected = await buyUpTo(market, 'accepted');
  dataOf(await act(market.seller, rejected, 'reject'));
}

/** An agent registers, changes and withdraws what it sells. */
export async function capabilityScenario(service: Service, secrets: Secrets): Promise<void> {
  const agent = await service.agent();
  secrets.add(agent.apiKey).add(offerTitle);
  const callback = { callback_url: 'https://seller.example/hidden-path' };
  const body = { ...offer, title: offerTitle, ...callback };
  const made = dataOf(await agent.call('POST', '/api/v1/capabilities', body));
  dataOf(await agent.call('POST', '/api/v1/capabilities/batch', { items: [body, { ...body, price_ut: '-1' }] }));
  const url = `/api/v1/capabilities/${String(made['id'])}`;
  dataOf(await agent.call('PUT', url, { price_ut: '7' }));
  const rotated = dataOf(await agent.call('POST', `${url}/rotate-secret`));
  dataOf(await agent.call('DELETE', url));
  secrets.add(callback.callback_url).add(String(made['callback_secret'])).add(String(rotated['callback_secret']));
}

/** An agent has events posted to an address, and changes its mind. */
export async function webhookScenario(service: Service, secrets: Secrets): Promise<void> {
  const agent = await service.agent();
  const body = { url: 'https://agent.example/hidden-inbox', description: 'A word about it' };
  const made = dataOf(await agent.call('POST', '/api/v1/webhooks', body));
  const url = `/api/v1/webhooks/${String(made['id'])}`;
  dataOf(await agent.call('PUT', url, { status: 'disabled' }));
  const rotated = dataOf(await agent.call('POST', `${url}/rotate-secret`));
  dataOf(await agent.call('DELETE', url));
  secrets.add(body.url).add(body.description).add(String(made['secret'])).add(String(rotated['secret']));
}

/** The staff credits, and mends a transaction. */
export async function operatorScenario(service: Service): Promise<void> {
  const market = await openMarket(service);
  const id = await buyUpTo(market, 'frozen');
  const tools = { em: service.em, client: service.temporal, operator: 'jane' };
  await runCommand('credit', [market.buyer.userId, '2', 'goodwill'], tools);
  await runCommand('show', [id], tools);
  await runCommand('resume', [id], tools);
  await runCommand('signal', [id, 'cancel'], tools);
}
