import type { AddRoute } from '../route.ts';
import {
  createKey,
  createPlatform,
  grantUser,
  listKeys,
  listPlatforms,
  revokeKey,
  revokeUserGrant,
} from './platform.operations.ts';
import {
  createGrantBody,
  createKeyBody,
  createPlatformBody,
  deleted,
  grantParams,
  keyPage,
  keyParams,
  keysQuery,
  newKey,
  platform,
  platformGrant,
  platformPage,
  platformParams,
  platformsQuery,
} from './platform.schemas.ts';

const admin = { access: 'admin', hidden: true, tag: 'admin' } as const;

/** Platforms, their keys, and the users they may act for. */
export function platformRoutes(add: AddRoute): void {
  add({
    ...admin,
    method: 'POST',
    url: '/api/v1/admin/platforms',
    operationId: 'createPlatform',
    summary: 'Create a platform',
    write: 'plain',
    body: createPlatformBody,
    data: platform,
    httpStatus: 201,
    errors: ['conflict'],
    handler: (ctx, { body }) => createPlatform(ctx, body),
  });
  add({
    ...admin,
    method: 'GET',
    url: '/api/v1/admin/platforms',
    operationId: 'listPlatforms',
    summary: 'List platforms',
    write: 'none',
    query: platformsQuery,
    data: platformPage,
    errors: [],
    handler: (ctx, { query }) => listPlatforms(ctx, query),
  });
  add({
    ...admin,
    method: 'POST',
    url: '/api/v1/admin/platforms/:platform_id/keys',
    operationId: 'createApiKey',
    summary: 'Create an API key of a platform',
    description: 'The key is shown once. The replay of an answer leaves it out: revoke a key that was lost on the way.',
    write: 'plain',
    params: platformParams,
    body: createKeyBody,
    data: newKey,
    httpStatus: 201,
    errors: ['not_found'],
    handler: (ctx, { params, body }) => createKey(ctx, params.platform_id, body),
  });
  add({
    ...admin,
    method: 'GET',
    url: '/api/v1/admin/platforms/:platform_id/keys',
    operationId: 'listApiKeys',
    summary: 'List the API keys of a platform',
    write: 'none',
    params: platformParams,
    query: keysQuery,
    data: keyPage,
    errors: ['not_found'],
    handler: (ctx, { params, query }) => listKeys(ctx, params.platform_id, query),
  });
  add({
    ...admin,
    method: 'DELETE',
    url: '/api/v1/admin/keys/:key_id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    write: 'plain',
    params: keyParams,
    data: deleted,
    errors: ['not_found'],
    handler: (ctx, { params }) => revokeKey(ctx, params.key_id),
  });
  add({
    ...admin,
    method: 'POST',
    url: '/api/v1/admin/platforms/:platform_id/grants',
    operationId: 'grantUserToPlatform',
    summary: 'Let a platform act for a user',
    write: 'plain',
    params: platformParams,
    body: createGrantBody,
    data: platformGrant,
    httpStatus: 201,
    errors: ['not_found'],
    handler: (ctx, { params, body }) => grantUser(ctx, params.platform_id, body.user_id),
  });
  add({
    ...admin,
    method: 'DELETE',
    url: '/api/v1/admin/platforms/:platform_id/grants/:user_id',
    operationId: 'revokeUserGrant',
    summary: 'Take from a platform the right to act for a user',
    write: 'plain',
    params: grantParams,
    data: deleted,
    errors: ['not_found'],
    handler: (ctx, { params }) => revokeUserGrant(ctx, params.platform_id, params.user_id),
  });
}
