/** A program of somebody else, as strict as TypeScript can be: compiled by `package.test.ts` against the installed package. */
import {
  errorCodes,
  marketplaceClient,
  MarketplaceError,
  type MarketplaceClient,
  type Schemas,
} from '../../api/client/client.ts';

export async function consume(market: MarketplaceClient): Promise<void> {
  const bought: Schemas['Transaction'] = await market.post('/api/v1/transactions', { body: { capability_id: '' } });
  const price: string = bought.price_ut;
  const status: Schemas['TransactionStatus'] = bought.status;
  const path = { tx_id: bought.id };
  await market.post('/api/v1/transactions/{tx_id}/freeze', { path });
  await market.post('/api/v1/transactions/{tx_id}/deliver', { path, body: { result_payload: { price, status } } });
  // What has a default may be left out.
  await market.post('/api/v1/capabilities', {
    body: { title: '', description: '', category: 'data', capability_type: 'api', pricing_model: 'per_day' },
  });
  const { api_key } = await market.post('/api/v1/auth/device-auth/poll', { body: { device_code: '' } });
  api_key.toUpperCase();
  const [category] = await market.get('/api/v1/categories');
  category?.label.toUpperCase();
  for await (const { price_ut } of market.items('/api/v1/capabilities', { query: { category: 'data' } }))
    price_ut.toUpperCase();
  for await (const { id, data } of market.transactionEvents(bought.id))
    if (data.data.status === 'settled') id.toUpperCase();

  // @ts-expect-error a path without its parameters
  await market.post('/api/v1/transactions/{tx_id}/freeze');
  // @ts-expect-error a path that is not there
  await market.get('/api/v1/walet');
  // @ts-expect-error a method that the path does not have
  await market.delete('/api/v1/wallet');
  // @ts-expect-error a stream, which is no data
  await market.get('/api/v1/transactions/{tx_id}/events', { path });
  // @ts-expect-error a list of one that is none
  market.items('/api/v1/wallet');
  // @ts-expect-error a field that is not there
  await market.post('/api/v1/transactions', { body: { capability_id: '', colour: 'red' } });
  // @ts-expect-error a category that is not there
  await market.get('/api/v1/capabilities', { query: { category: 'fishing' } });
}

export function hintOf(error: unknown): string {
  if (!(error instanceof MarketplaceError)) return 'no answer';
  // @ts-expect-error a code that is not there
  if (error.code === 1234) return 'never';
  return error.code === errorCodes.insufficient_balance ? String(error.data?.['available_ut']) : error.message;
}

void consume(marketplaceClient({ baseUrl: 'https://marketplace.example', credentials: { apiKey: '', userId: '' } }));
