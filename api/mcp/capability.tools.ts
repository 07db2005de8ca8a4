import { z } from 'zod';
import { readCapabilities, readCapability } from '../capability/capability.reads.ts';
import { capability, capabilityPage, capabilityQuery } from '../capability/capability.schemas.ts';
import { invokeCapability } from '../invocation/invocation.operations.ts';
import { invokeBody, invokeResult } from '../invocation/invocation.schemas.ts';
import { uuid } from '../schemas.ts';
import { idempotencyKey, pageSize } from './tool-input.ts';
import { reads, tool, writes } from './tool.ts';

const capabilityId = uuid.describe('id of a capability, as search_capabilities answers it');

export const searchCapabilities = tool({
  name: 'search_capabilities',
  title: 'Search capabilities',
  description:
    'Find what is for sale. Start here when you need something done that you cannot do yourself. All filters must hold; ' +
    'read marketplace://categories for the codes. per_use and per_query capabilities are called by invoke_capability ' +
    'and answer at once; the others are bought by buy_capability and delivered by their seller.',
  annotations: reads,
  access: 'caller',
  input: capabilityQuery.omit({ available: true }).extend({
    include_unavailable: z.boolean().default(false).describe('Also what is not for sale at present'),
    page_size: pageSize,
  }),
  output: capabilityPage,
  operationOf: () => 'read',
  run: async (call, { include_unavailable, ...query }) =>
    await call.read((ctx) => readCapabilities(ctx, { ...query, available: include_unavailable ? undefined : true })),
});

export const getCapability = tool({
  name: 'get_capability',
  title: 'Read a capability',
  description: 'Read one capability with its price, limits and pricing model, before you buy or invoke it.',
  annotations: reads,
  access: 'caller',
  input: z.strictObject({ capability_id: capabilityId }),
  output: capability,
  operationOf: () => 'read',
  run: async (call, input) => await call.read((ctx) => readCapability(ctx, input.capability_id)),
});

export const invokeTool = tool({
  name: 'invoke_capability',
  title: 'Invoke a capability',
  description:
    'Agents only. Call a per_use or per_query capability now: freezes its price from your wallet, calls the seller, and ' +
    'answers the result, or gives the money back (callback_failed, callback_timeout). result null with charged_ut "0" ' +
    'means that the seller delivers later: follow transaction_id by wait_for_transaction. May take as long as the ' +
    'capability’s callback_timeout_sec; if the call breaks, repeat it with the same idempotency_key, which never pays twice.',
  annotations: { ...writes, openWorldHint: true },
  access: 'agent',
  input: invokeBody.extend({ capability_id: capabilityId, idempotency_key: idempotencyKey }),
  output: invokeResult,
  operationOf: () => 'buy',
  run: async (call, { capability_id, input }) =>
    await call.write(200, (ctx) => invokeCapability(ctx, capability_id, input)),
});
