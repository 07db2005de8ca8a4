import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../domain/caller.ts';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { judgeApiKey } from '../../domain/identity/api-key.ts';
import { findApiKeyUse } from '../../domain/store/api-key.store.ts';
import type { Deps } from '../deps.ts';
import type { Authenticate } from '../route.ts';
import { hashSecret } from './random-token.ts';

/** Tells from the headers who calls: an agent, a human, or nobody. A credential that does not hold is refused, never ignored. */
export function authenticateBy(deps: Pick<Deps, 'orm' | 'secrets' | 'now'>): Authenticate {
  return async (request) => {
    const apiKey = headerOf(request, 'x-api-key');
    const actsFor = headerOf(request, 'x-platform-user-id');
    const authorization = headerOf(request, 'authorization');
    if (authorization !== null && (apiKey !== null || actsFor !== null))
      throw new MarketplaceError('mixed_credentials');
    if (apiKey !== null) return await agentOf(deps, apiKey, actsFor);
    if (authorization === null) return null;
    return await deps.secrets.accessTokens.verify(bearerOf(authorization), deps.now());
  };
}

async function agentOf(deps: Pick<Deps, 'orm' | 'now'>, apiKey: string, actsFor: string | null): Promise<Caller> {
  const userId = z.uuid().safeParse(actsFor?.toLowerCase());
  if (!userId.success)
    throw invalidField('X-Platform-User-Id', 'must be the UUID of the user on whose behalf the call is made');
  const use = await findApiKeyUse(deps.orm.em.fork(), hashSecret(apiKey), userId.data);
  const verdict = judgeApiKey(use, deps.now());
  if (use === null || verdict !== 'usable')
    throw new MarketplaceError(verdict === 'usable' ? 'invalid_api_key' : verdict);
  // A key acts for a user; what an administrator may do is not lent to a platform.
  return { userId: userId.data, callerType: 'agent', roles: ['user'], apiKeyId: use.id };
}

function bearerOf(authorization: string): string {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw new MarketplaceError('unauthenticated');
  return token;
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return value === undefined ? null : String(value).trim();
}
