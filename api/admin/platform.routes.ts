import { idOf } from '../audit/audit.ts';
import type { AddRoute } from '../route.ts';
import { createPlatform, grantUser, listPlatforms, revokeUserGrant } from './platform.operations.ts';
import {
  createGrantBody,
  createPlatformBody,
  deleted,
  grantParams,
  platform,
  platformGrant,
  platformPage,
  platformParams,
  platformsQuery,
} from './platform.schemas.ts';

const admin = { access: 'admin', hidden: true, tag: 'admin' } as const;

/** Platforms, and the users they may act for. */
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
    audit: {
      action: 'platform.create',
      detail: (_, answer) => ({ target: { type: 'platform', id: idOf(answer) } }),
    },
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
    url: '/api/v1/admin/platforms/:platform_id/grants',
    operationId: 'grantUserToPlatform',
    summary: 'Let a platform act for a user',
    write: 'plain',
    params: platformParams,
    body: createGrantBody,
    data: platformGrant,
    httpStatus: 201,
    errors: ['not_found'],
    audit: {
      action: 'platform.grant',
      detail: ({ params, body }) => grantOf(params.platform_id, body.user_id),
    },
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
    audit: {
      action: 'platform.revoke_grant',
      detail: ({ params }) => grantOf(params.platform_id, params.user_id),
    },
    handler: (ctx, { params }) => revokeUserGrant(ctx, params.platform_id, params.user_id),
  });
}

function grantOf(platformId: string, userId: string) {
  return { target: { type: 'platform', id: platformId }, data: { user_id: userId } } as const;
}
