import type { z } from 'zod';
import { idOf } from '../audit/audit.ts';
import type { AddRoute } from '../route.ts';
import { createKey, listKeys, revokeKey, rotateKey, updateKey } from './key.operations.ts';
import {
  createKeyBody,
  keyPage,
  keyParams,
  keysQuery,
  listedKey,
  newKey,
  rotateKeyBody,
  updateKeyBody,
} from './key.schemas.ts';
import { deleted, platformParams } from './platform.schemas.ts';

const admin = { access: 'admin', hidden: true, tag: 'admin' } as const;
const onceShown =
  'The key is shown once. The replay of an answer leaves it out: revoke a key that was lost on the way.';

/** API keys of platforms: what each may do, and its life. */
export function keyRoutes(add: AddRoute): void {
  add({
    ...admin,
    method: 'POST',
    url: '/api/v1/admin/platforms/:platform_id/keys',
    operationId: 'createApiKey',
    summary: 'Create an API key of a platform',
    description: onceShown,
    write: 'plain',
    params: platformParams,
    body: createKeyBody,
    data: newKey,
    httpStatus: 201,
    errors: ['not_found'],
    audit: {
      action: 'api_key.create',
      detail: ({ params, body }, answer) => ({
        target: keyTarget(idOf(answer)),
        data: { platform_id: params.platform_id, ...limitsOf(body) },
      }),
    },
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
    method: 'PUT',
    url: '/api/v1/admin/keys/:key_id',
    operationId: 'updateApiKey',
    summary: 'Change the limits and the expiry of an API key',
    description: 'Fields that are left out stay as they are; null clears what may be empty. It holds at once.',
    write: 'plain',
    params: keyParams,
    body: updateKeyBody,
    data: listedKey,
    errors: ['not_found', 'conflict'],
    audit: {
      action: 'api_key.update',
      detail: ({ params, body }) => ({ target: keyTarget(params.key_id), data: limitsOf(body) }),
    },
    handler: (ctx, { params, body }) => updateKey(ctx, params.key_id, body),
  });
  add({
    ...admin,
    method: 'POST',
    url: '/api/v1/admin/keys/:key_id/rotate',
    operationId: 'rotateApiKey',
    summary: 'Replace an API key by a new one of the same limits',
    description:
      `${onceShown} The replaced key works for another \`overlap_sec\`, 24 hours by default; the new one expires when ` +
      'the replaced one would have. Both spend of one daily limit. A key is replaced once: rotate its successor next.',
    write: 'plain',
    params: keyParams,
    body: rotateKeyBody,
    data: newKey,
    httpStatus: 201,
    errors: ['not_found', 'conflict'],
    audit: {
      action: 'api_key.rotate',
      detail: ({ params, body }, answer) => ({
        target: keyTarget(params.key_id),
        data: { successor_id: idOf(answer), overlap_sec: body.overlap_sec },
      }),
    },
    handler: (ctx, { params, body }) => rotateKey(ctx, params.key_id, body),
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
    audit: { action: 'api_key.revoke', detail: ({ params }) => ({ target: keyTarget(params.key_id) }) },
    handler: (ctx, { params }) => revokeKey(ctx, params.key_id),
  });
}

function keyTarget(id: string) {
  return { type: 'api_key', id } as const;
}

/** What a key may do, as it was asked for; its name is somebody's text and stays out. */
function limitsOf({ operations, addresses, daily_spend_limit_ut, expires_at }: z.output<typeof updateKeyBody>) {
  return { operations, addresses, daily_spend_limit_ut, expires_at };
}
