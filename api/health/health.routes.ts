import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { registerMetrics } from './metrics.ts';

const probeLimitMs = 2_000;

const plain = { schema: { hide: true }, config: { rateLimit: false }, logLevel: 'warn' } as const;

/**
 * For whoever runs the service: alive, ready, and metrics. No credentials, no envelope, no rate limit; nothing in them is
 * about a user. Keep `/metrics` from the open internet at the proxy.
 */
export function healthRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.get('/healthz', plain, async () => ({ status: 'ok' }));
  scope.get('/readyz', plain, async (_, reply) => {
    const down = await unreachable(deps);
    if (down.length > 0) reply.code(503).header('retry-after', '2');
    return down.length === 0 ? { status: 'ready' } : { status: 'unavailable', down };
  });
  registerMetrics(scope, plain, deps);
}

async function unreachable(deps: Deps): Promise<string[]> {
  const probes = {
    database: () => within(deps.orm.em.fork().execute('select 1')),
    temporal: () => within(deps.workflows.ping(probeLimitMs)),
  };
  const answers = await Promise.all(
    Object.entries(probes).map(
      async ([name, probe]) =>
        await probe().then(
          () => null,
          () => name,
        ),
    ),
  );
  return answers.filter((name) => name !== null);
}

async function within(work: Promise<unknown>): Promise<void> {
  const limit = AbortSignal.timeout(probeLimitMs);
  const { promise, reject } = Promise.withResolvers<never>();
  limit.addEventListener('abort', () => reject(new Error('no answer in time')));
  await Promise.race([work, promise]);
}
