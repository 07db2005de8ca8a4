/**
 * Buys a capability as an agent and follows the purchase to its end:
 *
 *     BASE_URL=… API_KEY=… USER_ID=… node buy.mjs CAPABILITY_ID
 */
import { marketplaceClient, MarketplaceError, errorCodes } from '@marketplace/client';

const { BASE_URL = 'http://127.0.0.1:3000', API_KEY = '', USER_ID = '' } = process.env;
const [capabilityId = ''] = process.argv.slice(2);

const market = marketplaceClient({
  baseUrl: BASE_URL,
  credentials: { apiKey: API_KEY, userId: USER_ID },
  onRetry: ({ call, error, waitMs }) => console.log(`${call}: ${error.message}; again in ${Math.round(waitMs)} ms`),
});

try {
  const { title, price_ut } = await market.get('/api/v1/capabilities/{cap_id}', { path: { cap_id: capabilityId } });
  const { id } = await market.post('/api/v1/transactions', { body: { capability_id: capabilityId } });
  console.log(`bought “${title}” for ${price_ut} UT: ${id}`);
  await market.post('/api/v1/transactions/{tx_id}/freeze', { path: { tx_id: id } });

  for await (const event of market.transactionEvents(id)) {
    console.log(`event ${event.id}: ${event.type}, by ${event.data.operation}`);
    if (event.data.data.status !== 'delivered') continue;
    const { result_payload } = await market.get('/api/v1/transactions/{tx_id}', { path: { tx_id: id } });
    console.log(`delivered: ${JSON.stringify(result_payload)}`);
    await market.post('/api/v1/transactions/{tx_id}/confirm', { path: { tx_id: id } });
  }

  const { status } = await market.get('/api/v1/transactions/{tx_id}', { path: { tx_id: id } });
  const { available_ut } = await market.get('/api/v1/wallet');
  console.log(`${status}; ${available_ut} UT left`);
  process.exitCode = status === 'settled' ? 0 : 1;
} catch (error) {
  if (!(error instanceof MarketplaceError)) throw error;
  // What a program does about it depends on the code, never on the text.
  const hint =
    error.code === errorCodes.insufficient_balance ? ` You have ${String(error.data?.available_ut)} UT.` : '';
  console.error(`${error.message}${hint} (${error.errorName}, request ${error.requestId})`);
  process.exitCode = 1;
}
