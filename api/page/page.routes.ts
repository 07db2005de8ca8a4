import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { normalizeUserCode } from '../../domain/identity/device-code.ts';
import { connectionPage } from './connection.page.ts';
import { devicePage } from './device.page.ts';
import type { Html } from './html.ts';
import { readPageAssets } from './page.asset.ts';
import { pageHeaders } from './page.headers.ts';

const hidden = { schema: { hide: true } } as const;
const deviceQuery = z.object({ user_code: z.string().max(20) });

/**
 * The pages on which a person approves an agent, and takes the approval back. They hold nothing about anybody: their
 * script calls the API with the token of who signs in.
 */
export function pageRoutes(scope: FastifyInstance): void {
  const assets = readPageAssets();
  scope.get('/device', hidden, async (request, reply) => {
    // A code that is none is left out, not refused: the person can still type the right one.
    const { data } = deviceQuery.safeParse(request.query);
    return send(reply, devicePage(assets, normalizeUserCode(data?.user_code ?? '') ?? ''));
  });
  scope.get('/connections', hidden, async (_, reply) => send(reply, connectionPage(assets)));
  scope.get<{ Params: { version: string; name: string } }>('/page/:version/:name', hidden, async (request, reply) => {
    const file = assets.files.get(request.params.name);
    if (file === undefined) throw new MarketplaceError('not_found');
    // While nodes are being replaced, the page of one may ask another: better a neighbour's file than a dead page.
    const isSame = request.params.version === assets.version;
    reply.header('cache-control', isSame ? 'public, max-age=31536000, immutable' : 'no-store');
    return reply.type(file.type).send(file.body);
  });
}

function send(reply: FastifyReply, page: Html): FastifyReply {
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page.text);
}
