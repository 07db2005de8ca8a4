import { signInLimit } from '../../domain/identity/sign-in.ts';
import type { AddRoute } from '../route.ts';
import { changePassword, login, logout, logoutAll, me, refresh, register } from './auth.operations.ts';
import {
  endedSessions,
  loggedOut,
  loginBody,
  passwordBody,
  refreshBody,
  registerBody,
  session,
  user,
} from './auth.schemas.ts';

// Per address and minute: enough for people behind one address, too few for guessing or for filling the user table.
const credentialLimit = { max: 20, timeWindow: '1 minute' };
const tokenLimit = { max: 60, timeWindow: '1 minute' };

const elsewhere = 'Where an external issuer is set, 4030 says where to sign in.';

export function authRoutes(add: AddRoute): void {
  add({
    method: 'POST',
    url: '/api/v1/auth/register',
    operationId: 'register',
    summary: 'Register a human user',
    description:
      'A taken address is answered 4093 and counts as a failure of the network address, as a failed sign-in does. ' +
      elsewhere,
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: registerBody,
    data: user,
    httpStatus: 201,
    errors: ['conflict', 'forbidden'],
    rateLimit: credentialLimit,
    handler: (ctx, { body }) => register(ctx, body),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/login',
    operationId: 'login',
    summary: 'Sign in with e-mail address and password',
    description:
      `After ${signInLimit.accountFailures} failures for an account, or ${signInLimit.addressFailures} from an address, ` +
      `within ${signInLimit.windowSec / 60} minutes: 4290, whether the account exists or not. ` +
      `Sessions that are open go on. ${elsewhere}`,
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: loginBody,
    data: session,
    errors: ['unauthenticated', 'forbidden'],
    rateLimit: credentialLimit,
    handler: (ctx, { body }) => login(ctx, body),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/refresh',
    operationId: 'refreshSession',
    summary: 'Trade a refresh token for a new session',
    description:
      'A refresh token works once and lives 30 days. Using it a second time ends the session, access tokens included; there is no grace for a lost answer: sign in again.',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: refreshBody,
    data: session,
    errors: ['unauthenticated', 'token_expired', 'forbidden'],
    rateLimit: tokenLimit,
    handler: (ctx, { body }) => refresh(ctx, body.refresh_token),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/logout',
    operationId: 'logout',
    summary: 'End a session',
    description: 'Revokes the refresh token and all that came of the same sign-in; its access tokens stop with it.',
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
    method: 'POST',
    url: '/api/v1/auth/logout-all',
    operationId: 'logoutAll',
    summary: 'End all my sessions',
    description: 'On every device, this one included. Access tokens stop at once. API keys are not touched.',
    tag: 'auth',
    access: 'human',
    write: 'unkeyed',
    data: endedSessions,
    errors: ['forbidden'],
    rateLimit: tokenLimit,
    handler: (ctx) => logoutAll(ctx),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/password',
    operationId: 'changePassword',
    summary: 'Change my password',
    description: 'Ends all other sessions. A wrong current password is 4030 and counts as a failed sign-in.',
    tag: 'auth',
    access: 'human',
    write: 'unkeyed',
    body: passwordBody,
    data: endedSessions,
    errors: ['forbidden', 'conflict'],
    rateLimit: credentialLimit,
    handler: (ctx, { body }) => changePassword(ctx, body),
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
}
