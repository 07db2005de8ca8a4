import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { judgeApiKey, type ApiKeyVerdict } from '../../domain/identity/api-key.ts';
import { findApiKeyUse, type FoundApiKey } from '../../domain/store/api-key.store.ts';
import { auditRefusedKey } from '../audit/key-refusal.ts';
import type { Authenticate } from '../route.ts';
import { bearerVerifier, type BearerDeps } from './bearer.ts';
import type { KeyUseLog } from './key-use-log.ts';
import { hashSecret } from './random-token.ts';

/** Tells from the headers who calls: an agent, a human, or nobody. A credential that does not hold is refused, never ignored. */
export function authenticateBy(deps: BearerDeps, keyUses: KeyUseLog): Authenticate {
  const humanOf = bearerVerifier(deps);
  return async (request) => {
    const apiKey = headerOf(request, 'x-api-key');
    const actsFor = headerOf(request, 'x-platform-user-id');
    const authorization = headerOf(request, 'authorization');
    if (authorization !== null && (apiKey !== null || actsFor !== null))
      throw new MarketplaceError('mixed_credentials');
    if (apiKey !== null) {
      const now = deps.now();
      const userId = namedUser(actsFor);
      const use = await findApiKeyUse(deps.orm.em, hashSecret(apiKey), userId);
      const verdict = judgeApiKey(use, now, request.ip);
      if (use !== null && verdict !== 'usable')
        await auditRefusedKey(deps.orm, request, { apiKeyId: use.id, verdict, at: now });
      const key = usable(use, verdict);
      keyUses.note(key.id, now);
      // A key acts for a user; what an administrator may do is not lent to a platform.
      const human = { tokenId: null, sessionId: null };
      return { ...human, userId, callerType: 'agent', roles: ['user'], apiKeyId: key.id, operations: key.operations };
    }
    if (authorization === null) return null;
    return await humanOf(bearerOf(authorization));
  };
}

function namedUser(header: string | null): string {
  const userId = z.uuid().safeParse(header?.toLowerCase());
  if (userId.success) return userId.data;
  throw invalidField('X-Platform-User-Id', 'must be the UUID of the user on whose behalf the call is made');
}

function usable(use: FoundApiKey | null, verdict: ApiKeyVerdict): FoundApiKey {
  if (verdict === 'address_not_allowed')
    throw new MarketplaceError('forbidden', null, { text: 'This API key may not be used from this address.' });
  if (use === null || verdict !== 'usable')
    throw new MarketplaceError(verdict === 'usable' ? 'invalid_api_key' : verdict);
  return use;
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
