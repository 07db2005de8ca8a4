import type { AddRoute } from '../route.ts';
import { disconnect, disconnectKey, readConnections } from './connection.operations.ts';
import {
  connectionKeyParams,
  connectionPage,
  connectionParams,
  connectionQuery,
  disconnected,
  maxShownKeys,
} from './connection.schemas.ts';

const shared = { tag: 'auth', access: 'human' } as const;

/** Who may act for the signed-in user, and how they take it back. */
export function connectionRoutes(add: AddRoute): void {
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/connections',
    operationId: 'listConnections',
    summary: 'List the platforms and agents that may act for me',
    description: `Newest first. \`keys\` are those that act for you only: the newest ${maxShownKeys} that are in force.`,
    write: 'none',
    query: connectionQuery,
    data: connectionPage,
    errors: [],
    handler: async (ctx, { query }) => await readConnections(ctx, query),
  });
  add({
    ...shared,
    method: 'DELETE',
    url: '/api/v1/connections/:platform_id',
    operationId: 'deleteConnection',
    summary: 'Take from a platform the right to act for me',
    description: 'Its API keys stop working for this user at once, and those that act for this user only are revoked.',
    write: 'plain',
    params: connectionParams,
    data: disconnected,
    errors: ['not_found'],
    audit: {
      action: 'connection.revoke',
      detail: ({ params }) => ({ target: { type: 'platform', id: params.platform_id } }),
    },
    handler: async (ctx, { params }) => await disconnect(ctx, params.platform_id),
  });
  add({
    ...shared,
    method: 'DELETE',
    url: '/api/v1/connections/:platform_id/keys/:key_id',
    operationId: 'deleteConnectionKey',
    summary: 'Revoke one key that acts for me only',
    description: 'It stops at once. The platform, and other keys of it, go on.',
    write: 'plain',
    params: connectionKeyParams,
    data: disconnected,
    errors: ['not_found'],
    audit: {
      action: 'connection.revoke_key',
      detail: ({ params: { platform_id, key_id } }) => ({
        target: { type: 'api_key', id: key_id },
        data: { platform_id },
      }),
    },
    handler: async (ctx, { params }) => await disconnectKey(ctx, params.platform_id, params.key_id),
  });
}
