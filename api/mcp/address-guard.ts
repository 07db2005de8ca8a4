import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { MarketplaceError } from '../../domain/errors.ts';
import type { Settings } from '../../domain/settings.ts';

/**
 * Against DNS rebinding: a page whose name was pointed at this service speaks to it under that name. Lets in requests for
 * PUBLIC_URL's host and for this machine, and from no page (no Origin) or one of PUBLIC_URL, CORS_ORIGINS or this machine.
 * Throws `forbidden`.
 */
export function addressGuard({ publicUrl, corsOrigins }: Settings): (request: FastifyRequest) => void {
  const thisMachine = localhostAllowedHostnames();
  const hosts = [...thisMachine, new URL(publicUrl).hostname];
  const origins = new Set([publicUrl, ...corsOrigins].map((address) => originOf(address)?.origin));
  const isAllowedOrigin = (given: string) => {
    const origin = originOf(given);
    return origin !== null && (origins.has(origin.origin) || thisMachine.includes(origin.hostname));
  };
  return ({ headers: { host, origin } }) => {
    if (!validateHostHeader(host, hosts).ok) throw refused('Host');
    if (origin !== undefined && !isAllowedOrigin(origin)) throw refused('Origin');
  };
}

function originOf(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

function refused(header: string): MarketplaceError {
  return new MarketplaceError('forbidden', null, { text: `Requests with this ${header} are not answered here.` });
}
