import { McpServer, type McpServerOptions } from '@modelcontextprotocol/server';
import { getCapability, invokeTool, searchCapabilities } from './capability.tools.ts';
import { categoryResource } from './category.resource.ts';
import { listEvents } from './event.tools.ts';
import { operateTransaction } from './operate.tools.ts';
import { listedOutput, listedSchema } from './tool-schema.ts';
import { ToolCall, type Exchange } from './tool-call.ts';
import { callTool, type Tool } from './tool.ts';
import { buyCapability, getTransaction, listTransactions } from './transaction.tools.ts';
import { waitForTransaction } from './wait.tools.ts';
import { getWallet } from './wallet.tools.ts';

const tools: readonly Tool[] = [
  searchCapabilities,
  getCapability,
  invokeTool,
  buyCapability,
  getTransaction,
  listTransactions,
  operateTransaction,
  waitForTransaction,
  listEvents,
  getWallet,
];

/** What the SDK lists of each tool: the same for every caller, so made once. */
const listed = tools.map((spec) => {
  const { title, description, annotations } = spec;
  const inputSchema = listedSchema(spec.input, 'input');
  return { spec, config: { title, description, annotations, inputSchema, outputSchema: listedOutput(spec.output) } };
});

const instructions =
  'A marketplace of capabilities, priced in UT. Find one by search_capabilities. per_use and per_query ones: ' +
  'invoke_capability answers at once. Others: buy_capability with freeze, then wait_for_transaction until it is ' +
  'delivered, look at result_payload, then operate_transaction with confirm, request_changes or dispute. A purchase that ' +
  'is not confirmed settles by itself at auto_confirm_at. Send a new idempotency_key with everything that spends or ' +
  'changes, and the same one when you repeat a call. A refusal has a name, a message that says what to do, and data.';

const serverInfo = { name: 'marketplace', title: 'Marketplace Service', version: '1.0.0' };
const oneHourMs = 3_600_000;

/**
 * What a server has beside the marketplace. Here for test/mcp/conformance-server.ts alone: the conformance suite asks for
 * tools, resources and prompts of its own, and is to find them on this very route. The service never passes one.
 */
export interface ServerExtension {
  readonly options: Pick<McpServerOptions, 'requestState'>;
  register(server: McpServer): void;
}

/** The server of one request: its tools act for the caller of that request, and nothing is kept after it. */
export function mcpServer(exchange: Exchange, extension?: ServerExtension): McpServer {
  const server = new McpServer(serverInfo, {
    ...extension?.options,
    instructions,
    // Neither list changes while a process lives.
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    cacheHints: { 'tools/list': { ttlMs: oneHourMs }, 'resources/list': { ttlMs: oneHourMs } },
  });
  extension?.register(server);
  for (const { spec, config } of listed) {
    server.registerTool(spec.name, config, async (args, { mcpReq }) => {
      return await callTool(spec, new ToolCall(exchange, spec.name, args, mcpReq.signal));
    });
  }
  categoryResource(server, exchange);
  return server;
}
