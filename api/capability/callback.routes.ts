import type { AddRoute } from '../route.ts';
import { rotateSecretBody } from '../signing-secret.schemas.ts';
import { readDeliveries, rotateSecret, testCallback } from './callback.operations.ts';
import { deliveryPage, deliveryQuery, rotatedSecret, testCallbackBody, testedCallback } from './callback.schemas.ts';
import { capabilityParams } from './capability.schemas.ts';

const shared = { tag: 'capabilities', access: 'caller', operation: 'sell', params: capabilityParams } as const;

// Each test makes the platform call an address that a stranger chose.
const testLimit = { max: 10, timeWindow: '1 minute' };

/** What an owner needs to serve the calls of a capability: the signing secret, a test, and what became of calls. */
export function callbackRoutes(add: AddRoute): void {
  add({
    ...shared,
    method: 'POST',
    url: '/api/v1/capabilities/:cap_id/rotate-secret',
    operationId: 'rotateCallbackSecret',
    summary: 'Replace the signing secret of the callback',
    description:
      'Only the owner. Calls are signed by Standard Webhooks with `webhook-id`, `webhook-timestamp` and ' +
      '`webhook-signature`. Until `previous_expires_at` they carry a signature of the previous secret beside that of ' +
      'the new one, so that you can change over without refusing a call; at most three replaced secrets sign at the ' +
      'same time. With `immediately` every earlier secret ends at once: for one that has leaked.',
    write: 'plain',
    body: rotateSecretBody,
    data: rotatedSecret,
    errors: ['not_found', 'forbidden', 'conflict'],
    handler: async (ctx, { params, body }) => await rotateSecret(ctx, params.cap_id, body),
  });
  add({
    ...shared,
    method: 'POST',
    url: '/api/v1/capabilities/:cap_id/test-callback',
    operationId: 'testCallback',
    summary: 'Call the callback address once, to try it out',
    description:
      'Only the owner; at most 10 a minute. The call is that of an invocation, signed, with `test: true` in its body ' +
      'and the delivery as `transaction_id`; no money moves and it is not repeated. A call that fails is a test that ' +
      'succeeds: `code` is 0 and `outcome` tells. Answers when the call has ended, after `callback_timeout_sec` at ' +
      'the latest.',
    write: 'workflow',
    rateLimit: testLimit,
    body: testCallbackBody,
    data: testedCallback,
    errors: ['not_found', 'forbidden', 'conflict'],
    handler: async (ctx, { params, body }) => await testCallback(ctx, params.cap_id, body),
  });
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/capabilities/:cap_id/deliveries',
    operationId: 'listCallbackDeliveries',
    summary: 'List the calls of the callback address, newest first',
    description: 'Only the owner. Every attempt is one record, also of a test; what was answered is not shown.',
    write: 'none',
    query: deliveryQuery,
    data: deliveryPage,
    errors: ['not_found', 'forbidden'],
    handler: async (ctx, { params, query }) => await readDeliveries(ctx, params.cap_id, query),
  });
}
