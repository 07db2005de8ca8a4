import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

export const jwksPath = '/.well-known/jwks.json';

const maxAgeSec = 3600;

/** The public keys that check access tokens, agent cards and push notifications (RFC 7517); not enveloped. */
export function jwksRoute(scope: FastifyInstance, { secrets }: Pick<Deps, 'secrets'>): void {
  const body = JSON.stringify(secrets.jwks);
  scope.get(jwksPath, { schema: { hide: true } }, async (_request, reply) => {
    await reply.header('cache-control', `public, max-age=${maxAgeSec}`).type('application/jwk-set+json').send(body);
  });
}
