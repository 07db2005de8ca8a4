import type { AddRoute } from '../route.ts';
import { invokeCapability } from './invocation.operations.ts';
import { invokeBody, invokeParams, invokeResult } from './invocation.schemas.ts';

export function invocationRoutes(add: AddRoute): void {
  add({
    method: 'POST',
    url: '/api/v1/capabilities/:cap_id/invoke',
    operationId: 'invokeCapability',
    summary: 'Call a capability and get its result, or the money back',
    description:
      'Freezes the price, calls the seller within the capability’s `callback_timeout_sec`, then settles, or gives the ' +
      'money back with 5020 or 5040. The seller may answer that it delivers later: then `result` is null, nothing is ' +
      'charged yet, and the transaction waits for its delivery. The same Idempotency-Key gets the same outcome, ' +
      'also after a connection that broke; the seller is not called again.',
    tag: 'capabilities',
    access: 'agent',
    operation: 'buy',
    write: 'workflow',
    params: invokeParams,
    body: invokeBody,
    data: invokeResult,
    errors: [
      'not_found',
      'self_dealing',
      'conflict',
      'insufficient_balance',
      'daily_limit_reached',
      'callback_failed',
      'callback_timeout',
    ],
    handler: async (ctx, { params, body }) => await invokeCapability(ctx, params.cap_id, body.input),
  });
}
