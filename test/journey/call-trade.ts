import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { SellerProcess } from '../seller/seller-process.ts';
import { send, type Answer, type Ask, type Credentials } from './caller.ts';
import { withDatabase, type Marketplace } from './marketplace.ts';
import { checkLedger, statusOf, transfersOf, walletOf } from './trade.ts';

/** An invocation waits for its seller's time and some seconds more, which with 30 s is more than other requests need. */
const invokeLimitMs = 60_000;

/** Somebody who signed in. */
export interface Member {
  readonly userId: string;
  readonly as: Credentials;
}

/** Somebody with money, whose agent may spend it. */
export interface Buyer extends Member {
  readonly agent: Credentials;
}

/** A buyer with 100 UT and somebody who sells. */
export interface CallTrade {
  readonly buyer: Buyer;
  readonly seller: Member;
}

export async function openCallTrade(marketplace: Marketplace): Promise<CallTrade> {
  return { buyer: await openBuyer(marketplace, '100'), seller: await openMember(marketplace) };
}

export async function openMember({ base }: Marketplace): Promise<Member> {
  const login = { email: `${randomUUID()}@journey.example`, password: randomUUID() };
  const user = await post(base(), '/api/v1/auth/register', {}, { ...login, display_name: 'Journey' });
  const { access_token } = await post(base(), '/api/v1/auth/login', {}, login);
  return { userId: String(user['id']), as: { authorization: `Bearer ${String(access_token)}` } };
}

export async function openBuyer(marketplace: Marketplace, creditUt: string): Promise<Buyer> {
  const { admin } = marketplace;
  const base = marketplace.base();
  const member = await openMember(marketplace);
  const { userId } = member;
  const credit = { amount_ut: creditUt, reason: 'journey' };
  await post(base, `/api/v1/admin/wallets/${userId}/credit`, admin, credit);
  const platform = await post(base, '/api/v1/admin/platforms', admin, { name: randomUUID() });
  const path = `/api/v1/admin/platforms/${String(platform['id'])}`;
  const key = await post(base, `${path}/keys`, admin, { name: 'journey' });
  await post(base, `${path}/grants`, admin, { user_id: userId });
  return { ...member, agent: { 'x-api-key': String(key['api_key']), 'x-platform-user-id': userId } };
}

/** Puts a capability on sale that the seller's process answers at this path, and answers its id. */
export async function sellCall(
  { base }: Marketplace,
  seller: Member,
  server: SellerProcess,
  path: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const capability = await post(base(), '/api/v1/capabilities', seller.as, {
    title: 'Journey',
    description: 'What a journey calls',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_use',
    price_ut: '10.00',
    callback_url: `${server.url}${path}`,
    callback_timeout_sec: 30,
    ...changes,
  });
  const id = String(capability['id']);
  await server.trust(id, String(capability['callback_secret']));
  return id;
}

export function invokeBy(buyer: Buyer, capabilityId: string, input: Readonly<Record<string, unknown>> = {}): Ask {
  return {
    method: 'POST',
    path: `/api/v1/capabilities/${capabilityId}/invoke`,
    as: buyer.agent,
    key: randomUUID(),
    body: { input },
    limitMs: invokeLimitMs,
  };
}

/** The id that the transaction of an invocation has, whether it was made already or not. */
export function transactionIdOf(buyer: Buyer, { key }: Ask): string {
  return derivedId('invocation', buyer.userId, key ?? '');
}

export interface Delivery {
  readonly attempt: number;
  readonly outcome: string | null;
}

/** What is recorded of the calls of a transaction. */
export async function deliveriesOf({ databaseUrl }: Marketplace, id: string): Promise<Delivery[]> {
  const sql = 'select attempt, outcome from callback_delivery where transaction_id = $1 order by attempt';
  return (await withDatabase(databaseUrl, (client) => client.query<Delivery>(sql, [id]))).rows;
}

/** Fails unless the 10 UT of an invocation are the seller's, moved once, and everything agrees with it. */
export async function expectSettled(marketplace: Marketplace, { buyer, seller }: CallTrade, id: string): Promise<void> {
  expect(await statusOf(marketplace, id)).toBe('settled');
  expect(await transfersOf(marketplace, id)).toEqual(['freeze', 'settle']);
  const spent = { available_ut: '90.00', frozen_ut: '0.00', spent_ut: '10.00' };
  expect(await walletOf(marketplace, buyer.as)).toMatchObject(spent);
  expect(await walletOf(marketplace, seller.as)).toMatchObject({ available_ut: '10.00', earned_ut: '10.00' });
  await checkLedger(marketplace);
}

/** Fails unless the buyer has everything back, once, and everything agrees with it. */
export async function expectGivenBack(
  marketplace: Marketplace,
  { buyer, seller }: CallTrade,
  id: string,
): Promise<void> {
  expect(await statusOf(marketplace, id)).toBe('failed');
  expect(await transfersOf(marketplace, id)).toEqual(['freeze', 'unfreeze']);
  const untouched = { available_ut: '100.00', frozen_ut: '0.00', spent_ut: '0.00' };
  expect(await walletOf(marketplace, buyer.as)).toMatchObject(untouched);
  expect(await walletOf(marketplace, seller.as)).toMatchObject({ available_ut: '0.00', earned_ut: '0.00' });
  await checkLedger(marketplace);
}

/** A write while nothing is wrong. */
async function post(base: string, path: string, as: Credentials, body: unknown): Promise<Answer['data']> {
  const answer = await send(base, { method: 'POST', path, as, body });
  expect(answer.code, `${path}: ${JSON.stringify(answer)}`).toBe(0);
  return answer.data;
}
