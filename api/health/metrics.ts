import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from '../deps.ts';

/**
 * Serves `/metrics`: every request of this scope by route pattern, as ids in an address are no labels, and how many streams
 * are open.
 */
export function registerMetrics(
  scope: FastifyInstance,
  options: RouteShorthandOptions,
  { streams }: Pick<Deps, 'streams'>,
): void {
  // A registry of this application, not the process: tests run several of them.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its response',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const openStreams: Gauge = new Gauge({
    name: 'open_streams',
    help: 'Streams of events that are open now, of all kinds',
    registers: [registry],
    collect: () => openStreams.set(streams.count),
  });
  scope.addHook('onResponse', async (request, reply) => {
    const labels = { route: request.routeOptions.url ?? 'none', method: request.method, status: reply.statusCode };
    requestSeconds.observe(labels, reply.elapsedTime / 1_000);
  });
  scope.addHook('onClose', async () => registry.clear());
  scope.get('/metrics', options, async (_, reply) => {
    return await reply
      .type(registry.contentType)
      .serializer(String)
      .send(await registry.metrics());
  });
}
