import { ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import { categories } from '../../domain/category/category.ts';
import { countOnSale } from '../../domain/store/capability.store.ts';
import { logFault, toMarketplaceError } from '../error-handler.ts';
import type { Exchange } from './tool-call.ts';

const uri = 'marketplace://categories';
const mimeType = 'application/json';
/** The counts may be this old at the reader's. */
const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** Offers every category, with the number of capabilities that are for sale in it. */
export function categoryResource(server: McpServer, exchange: Exchange): void {
  const title = 'Categories';
  const description = 'Every category: code, label, description, and how many capabilities are for sale in it.';
  server.registerResource('categories', uri, { title, description, mimeType, cacheHint }, async () => ({
    contents: [{ uri, mimeType, text: JSON.stringify({ categories: await counted(exchange) }) }],
  }));
}

async function counted({ deps, request }: Exchange) {
  try {
    const counts = await countOnSale(deps.orm.em.fork());
    return categories.map(({ code, label, description }) => ({
      code,
      label,
      description,
      capability_count: counts.get(code) ?? 0,
    }));
  } catch (thrown) {
    // What the SDK was told of an error it would tell the client.
    const error = toMarketplaceError(thrown);
    logFault(request, error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}
