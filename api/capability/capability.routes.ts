import type { AddRoute } from '../route.ts';
import { createCapabilities } from './capability.batch.ts';
import { createCapability, deleteCapability, updateCapability } from './capability.operations.ts';
import { readCapabilities, readCapability } from './capability.reads.ts';
import {
  batchCapabilityBody,
  batchCapabilityResult,
  capability,
  capabilityDeleted,
  capabilityPage,
  capabilityParams,
  capabilityQuery,
  createCapabilityBody,
  updateCapabilityBody,
  writtenCapability,
} from './capability.schemas.ts';

const shared = { tag: 'capabilities', access: 'caller' } as const;

export function capabilityRoutes(add: AddRoute): void {
  add({
    ...shared,
    method: 'POST',
    operation: 'sell',
    url: '/api/v1/capabilities',
    operationId: 'createCapability',
    summary: 'Register a capability',
    description: 'With a `callback_url` the answer has, this once, the secret that its calls are signed with.',
    write: 'plain',
    httpStatus: 201,
    body: createCapabilityBody,
    data: writtenCapability,
    errors: ['conflict'],
    handler: async (ctx, { body: { idempotency_key: _key, ...given } }) => await createCapability(ctx, given),
  });
  add({
    ...shared,
    method: 'POST',
    operation: 'sell',
    url: '/api/v1/capabilities/batch',
    operationId: 'createCapabilities',
    summary: 'Register up to 50 capabilities',
    description: 'Each item succeeds or fails by itself; `results` tells which, in the order of `items`.',
    write: 'plain',
    body: batchCapabilityBody,
    data: batchCapabilityResult,
    errors: [],
    handler: async (ctx, { body }) => await createCapabilities(ctx, body.items),
  });
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/capabilities',
    operationId: 'listCapabilities',
    summary: 'Browse what is offered',
    description:
      'All filters must hold. Also shows what is not available at present, unless `available=true` is given.',
    write: 'none',
    query: capabilityQuery,
    data: capabilityPage,
    errors: [],
    handler: async (ctx, { query }) => await readCapabilities(ctx, query),
  });
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/capabilities/:cap_id',
    operationId: 'getCapability',
    summary: 'Read one capability',
    write: 'none',
    params: capabilityParams,
    data: capability,
    errors: ['not_found'],
    handler: async (ctx, { params }) => await readCapability(ctx, params.cap_id),
  });
  add({
    ...shared,
    method: 'PUT',
    operation: 'sell',
    url: '/api/v1/capabilities/:cap_id',
    operationId: 'updateCapability',
    summary: 'Change a capability',
    description:
      'Only the owner. Fields that are left out stay as they are; null clears what may be empty. The first ' +
      '`callback_url` makes the signing secret, which the answer shows this once; a later one keeps it.',
    write: 'plain',
    params: capabilityParams,
    body: updateCapabilityBody,
    data: writtenCapability,
    errors: ['not_found', 'forbidden'],
    handler: async (ctx, { params, body: { idempotency_key: _key, ...changes } }) =>
      await updateCapability(ctx, params.cap_id, changes),
  });
  add({
    ...shared,
    method: 'DELETE',
    operation: 'sell',
    url: '/api/v1/capabilities/:cap_id',
    operationId: 'deleteCapability',
    summary: 'Delete a capability',
    description: 'Only the owner. Transactions that were made before go on.',
    write: 'plain',
    params: capabilityParams,
    data: capabilityDeleted,
    errors: ['not_found', 'forbidden'],
    handler: async (ctx, { params }) => await deleteCapability(ctx, params.cap_id),
  });
}
