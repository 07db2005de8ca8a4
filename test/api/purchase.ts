import { expect } from 'vitest';
import type { Person, Service } from '../harness.ts';

export type Data = Record<string, unknown>;

/** What most tests of transactions start from: a buyer with 100 UT, a seller, and their capability for 10 UT. */
export interface Market {
  readonly service: Service;
  readonly buyer: Person;
  readonly seller: Person;
  readonly capabilityId: string;
}

export async function openMarket(service: Service, changes: Data = {}): Promise<Market> {
  const buyer = await service.human();
  const seller = await service.human();
  await service.credit(buyer, '100');
  return { service, buyer, seller, capabilityId: await publish(seller, changes) };
}

/** Publishes a capability for 10 UT a use and answers its id. */
export async function publish(
  seller: Person,
  changes: Data = {},
  look: (data: Data) => void = () => undefined,
): Promise<string> {
  const answer = await seller.call('POST', '/api/v1/capabilities', {
    title: 'Weather data',
    description: 'Hourly weather of any place',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_use',
    price_ut: '10',
    callback_url: 'https://seller.example/callback',
    ...changes,
  });
  expect(answer.code, JSON.stringify(answer)).toBe(0);
  look(answer.data as Data);
  return String((answer.data as Data)['id']);
}

export async function buy({ buyer, capabilityId }: Market, body: Data = {}): Promise<string> {
  const answer = await buyer.call('POST', '/api/v1/transactions', { capability_id: capabilityId, ...body });
  expect(answer.status, JSON.stringify(answer)).toBe(201);
  return String((answer.data as Data)['id']);
}

/** One operation; answers status and data, whatever they are. */
export async function act(
  person: Person,
  id: string,
  operation: string,
  body?: Data,
  headers?: Record<string, string>,
) {
  return await person.call('POST', `/api/v1/transactions/${id}/${operation}`, body, headers);
}

/** Brings a fresh transaction to a status along the main chain. */
export async function buyUpTo(
  market: Market,
  status: 'pending' | 'frozen' | 'accepted' | 'delivered' | 'disputed' | 'settled',
): Promise<string> {
  const id = await buy(market);
  const chain = [
    ['frozen', market.buyer, 'freeze', undefined],
    ['accepted', market.seller, 'accept', undefined],
    ['delivered', market.seller, 'deliver', undefined],
    status === 'settled'
      ? (['settled', market.buyer, 'confirm', undefined] as const)
      : (['disputed', market.buyer, 'dispute', { reason: 'not as agreed' }] as const),
  ] as const;
  if (status === 'pending') return id;
  for (const [reached, person, operation, body] of chain) {
    const answer = await act(person, id, operation, body);
    expect((answer.data as Data)['status'], JSON.stringify(answer)).toBe(reached);
    if (reached === status) break;
  }
  return id;
}

/** The buyer's and the seller's available and frozen UT, and that the whole ledger is sound. */
export async function balances({
  service,
  buyer,
  seller,
}: Market): Promise<Record<'buyer' | 'frozen' | 'seller', string>> {
  await service.ledgerCheck();
  const [buyers, sellers] = [await service.wallet(buyer), await service.wallet(seller)];
  return {
    buyer: buyers.available_ut,
    frozen: buyers.frozen_ut,
    seller: sellers.available_ut,
  };
}
