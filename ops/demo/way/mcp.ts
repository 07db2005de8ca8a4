import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { tellCall } from '../narrator.ts';
import { fetchAs, type AgentKey, type Told, type Way } from './way.ts';

const transaction = z.object({ id: z.uuid(), status: z.string() });

/** MCP, by the official client: the tools that a model would call. */
export async function openMcp(baseUrl: string, key: AgentKey): Promise<Way> {
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { fetch: fetchAs(key) }));
  const use = async (name: string, given: Record<string, unknown>): Promise<Told> => {
    const called = { name, arguments: { ...given, idempotency_key: randomUUID() } };
    const { structuredContent, isError } = await client.callTool(called);
    if (isError === true) throw new Error(`${name} was refused: ${JSON.stringify(structuredContent)}`);
    const { id, status } = transaction.parse(structuredContent);
    tellCall(`${name} ${JSON.stringify(given)}`, status);
    return { transactionId: id, state: status };
  };
  return {
    name: 'MCP',
    client: '@modelcontextprotocol/client',
    buy: async (capability_id) => await use('buy_capability', { capability_id, freeze: true }),
    confirm: async ({ transactionId }) =>
      await use('operate_transaction', { transaction_id: transactionId, operation: 'confirm' }),
    close: async () => await client.close(),
  };
}
