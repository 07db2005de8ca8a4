import { expect } from 'vitest';
import type { AgentPerson, Person, Reply, Service } from '../harness.ts';
import { pollUntil } from '../../ops/stack/deadline.ts';
import type { Call } from '../seller/call-log.ts';
import type { SellerProcess } from '../seller/seller-process.ts';
import { publish, type Data } from './purchase.ts';

/** An agent with 100 UT, a person who sells, and the seller's own server. */
export interface CallMarket {
  readonly service: Service;
  readonly server: SellerProcess;
  readonly buyer: AgentPerson;
  readonly seller: Person;
}

export async function openCallMarket(service: Service, server: SellerProcess): Promise<CallMarket> {
  const buyer = await service.agent();
  await service.credit(buyer, '100');
  return { service, server, buyer, seller: await service.human() };
}

/** Puts a capability for 10 UT on sale that the seller's server answers at this path. */
export async function sell({ seller, server }: CallMarket, path: string, changes: Data = {}): Promise<string> {
  const body = { callback_url: `${server.url}${path}`, callback_timeout_sec: 5, ...changes };
  let secret = '';
  const id = await publish(seller, body, (data) => (secret = String(data['callback_secret'])));
  await server.trust(id, secret);
  return id;
}

export async function invoke(
  { buyer }: Pick<CallMarket, 'buyer'>,
  capabilityId: string,
  body: Data = { input: { place: 'Oslo' } },
  key?: string,
): Promise<Reply> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return await buyer.call('POST', `/api/v1/capabilities/${capabilityId}/invoke`, body, headers);
}

/** The transaction as its buyer reads it. */
export async function transactionOf({ buyer }: CallMarket, reply: Reply): Promise<Data> {
  const id = String((reply.data as Data)['transaction_id']);
  const read = await buyer.call('GET', `/api/v1/transactions/${id}`);
  expect(read.status, read.text).toBe(200);
  return read.data as Data;
}

/** Money of both, and that the whole ledger is sound. */
export async function moneyOf({ service, buyer, seller }: CallMarket): Promise<[string, string, string]> {
  await service.ledgerCheck();
  const [spent, earned] = [await service.wallet(buyer), await service.wallet(seller)];
  return [spent.available_ut, spent.frozen_ut, earned.available_ut];
}

const soon = { timeoutMs: 20_000, everyMs: 25 };

/** The first call of a capability, as soon as the seller's server has it. */
export async function untilCalled(server: SellerProcess, capabilityId: string): Promise<Call> {
  const called = Promise.withResolvers<Call>();
  await pollUntil('a call', soon, async () => {
    const [call] = await server.calls({ capabilityId });
    if (call === undefined) throw new Error('not called yet');
    called.resolve(call);
  });
  return await called.promise;
}

/** The answer of a request whose key another one still holds. */
export async function untilFree(ask: () => Promise<Reply>): Promise<Reply> {
  const answered = Promise.withResolvers<Reply>();
  await pollUntil('the key', { timeoutMs: 40_000, everyMs: 100 }, async () => {
    const reply = await ask();
    if (reply.code === 4091) throw new Error('still running');
    answered.resolve(reply);
  });
  return await answered.promise;
}
