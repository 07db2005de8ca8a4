import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MarketplaceError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/** Callers that one process remembers; the least recently seen is forgotten first. */
const rememberedCallers = 20_000;
const timeWindowMs = 60_000;

/**
 * RATE_LIMIT_PER_MIN holds per caller once it is known who calls, and per address for anonymous requests. Beside it an
 * address that has had that many refusals without getting in as far as a caller is turned away at the door, before a
 * body is read or a credential checked. Counted per process.
 */
export async function registerRateLimit(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    // After the route's own preValidation, which authenticates.
    hook: 'preValidation',
    max: settings.rateLimitPerMin,
    timeWindow: timeWindowMs,
    cache: rememberedCallers,
    keyGenerator: keyOf,
    errorResponseBuilder: (_request, { ttl }) => limited(ttl),
  });
  const refusals = app.createRateLimit({
    max: settings.rateLimitPerMin,
    timeWindow: timeWindowMs,
    keyGenerator: addressOf,
    allowList: isUnlimited,
  });
  app.addHook('onRequest', async (request) => {
    const seen = await refusals(request, { increment: false });
    if (!seen.isAllowed && seen.remaining === 0) throw limited(seen.ttl);
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.caller === null && reply.statusCode >= 400 && reply.statusCode < 500) await refusals(request);
  });
}

/** A human and the agents that act for them do not use up each other's share. */
function keyOf(request: FastifyRequest): string {
  const { caller } = request;
  return caller === null ? addressOf(request) : `${caller.callerType} ${caller.userId}`;
}

/** An IPv6 holder has a whole network of addresses: it counts as one. */
function addressOf(request: FastifyRequest): string {
  return normalizeIP(request.ip);
}

/** Probes, which their routes declare to be without a limit. */
function isUnlimited(request: FastifyRequest): boolean {
  return request.routeOptions.config.rateLimit === false;
}

function limited(ttlMs: number): MarketplaceError {
  return new MarketplaceError('rate_limited', { retry_after_sec: Math.max(1, Math.ceil(ttlMs / 1000)) });
}
