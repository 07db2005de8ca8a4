import type { AddRoute } from '../route.ts';
import { listMyGrants, login, logout, me, refresh, register, revokeMyGrant } from './auth.operations.ts';
import {
  deleted,
  grantPage,
  grantQuery,
  loggedOut,
  loginBody,
  platformParams,
  refreshBody,
  registerBody,
  session,
  user,
} from './auth.schemas.ts';

// Per address and minute: enough for people behind one address, too few for guessing or for filling the user table.
const credentialLimit = { max: 20, timeWindow: '1 minute' };
const tokenLimit = { max: 60, timeWindow: '1 minute' };

export function authRoutes(add: AddRoute): void {
  add({
    method: 'POST',
    url: '/api/v1/auth/register',
    operationId: 'register',
    summary: 'Register a human user',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: registerBody,
    data: user,
    httpStatus: 201,
    errors: ['conflict'],
    rateLimit: credentialLimit,
    handler: (ctx, { body }) => register(ctx, body),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/login',
    operationId: 'login',
    summary: 'Sign in with e-mail address and password',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: loginBody,
    data: session,
    errors: ['unauthenticated'],
    rateLimit: credentialLimit,
    handler: (ctx, { body }) => login(ctx, body),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/refresh',
    operationId: 'refreshSession',
    summary: 'Trade a refresh token for a new session',
    description:
      'A refresh token works once and lives 30 days. Using it a second time revokes every token that came of the same sign-in.',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: refreshBody,
    data: session,
    errors: ['unauthenticated', 'token_expired'],
    rateLimit: tokenLimit,
    handler: (ctx, { body }) => refresh(ctx, body.refresh_token),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/logout',
    operationId: 'logout',
    summary: 'End a session',
    description:
      'Revokes the refresh token and all that came of the same sign-in. The access token runs out by itself.',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: refreshBody,
    data: loggedOut,
    errors: [],
    rateLimit: tokenLimit,
    handler: (ctx, { body }) => logout(ctx, body.refresh_token),
  });
  add({
    method: 'GET',
    url: '/api/v1/auth/me',
    operationId: 'getMe',
    summary: 'Get the signed-in user',
    tag: 'auth',
    access: 'human',
    write: 'none',
    data: user,
    errors: [],
    handler: (ctx) => me(ctx),
  });
  add({
    method: 'GET',
    url: '/api/v1/auth/grants',
    operationId: 'listMyGrants',
    summary: 'List the platforms that may act for me',
    tag: 'auth',
    access: 'human',
    write: 'none',
    query: grantQuery,
    data: grantPage,
    errors: [],
    handler: (ctx, { query }) => listMyGrants(ctx, query),
  });
  add({
    method: 'DELETE',
    url: '/api/v1/auth/grants/:platform_id',
    operationId: 'revokeMyGrant',
    summary: 'Take from a platform the right to act for me',
    description: 'Its API keys stop working for this user at once.',
    tag: 'auth',
    access: 'human',
    write: 'plain',
    params: platformParams,
    data: deleted,
    errors: ['not_found'],
    handler: (ctx, { params }) => revokeMyGrant(ctx, params.platform_id),
  });
}
