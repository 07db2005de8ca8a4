import type { MarketplaceClient } from '../../../api/client/client.ts';
import { tellCall } from '../narrator.ts';
import type { Way } from './way.ts';

/** REST, by the typed client of this project. */
export function openRest(market: MarketplaceClient): Way {
  return {
    name: 'REST',
    client: '@marketplace/client',
    buy: async (capability_id) => {
      const { id } = await market.post('/api/v1/transactions', { body: { capability_id } });
      tellCall('POST /api/v1/transactions', 'pending');
      const { status } = await market.post('/api/v1/transactions/{tx_id}/freeze', { path: { tx_id: id } });
      tellCall('POST /api/v1/transactions/{tx_id}/freeze', status);
      return { transactionId: id, state: status };
    },
    confirm: async ({ transactionId }) => {
      const path = { tx_id: transactionId };
      const { status } = await market.post('/api/v1/transactions/{tx_id}/confirm', { path });
      tellCall('POST /api/v1/transactions/{tx_id}/confirm', status);
      return { transactionId, state: status };
    },
    close: async () => undefined,
  };
}
