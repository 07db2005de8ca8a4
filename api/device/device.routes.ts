import type { AddRoute } from '../route.ts';
import { decideDeviceSession, lookUpDeviceSession } from './device-approval.ts';
import { startDeviceSession } from './device.operations.ts';
import { pollDeviceSession } from './device-poll.ts';
import {
  approved,
  confirmBody,
  confirmed,
  lookedUp,
  lookupQuery,
  pending,
  pollBody,
  startBody,
  startedSession,
} from './device.schemas.ts';

// Per address and minute: an agent needs one session, a person a few tries.
const startLimit = { max: 10, timeWindow: '1 minute' };

/** Device authorization (RFC 8628): the agent starts and polls, a signed-in person looks and decides. */
export function deviceRoutes(add: AddRoute): void {
  add({
    method: 'POST',
    url: '/api/v1/auth/device-auth',
    operationId: 'startDeviceAuthorization',
    summary: 'Ask a person for an API key',
    description:
      'Show the person verification_url and user_code, then poll with device_code every interval seconds. At most 20 sessions of one address may wait at a time.',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: startBody,
    data: startedSession,
    errors: [],
    rateLimit: startLimit,
    handler: (ctx, { body }) => startDeviceSession(ctx, body.agent_platform_type),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/device-auth/poll',
    operationId: 'pollDeviceAuthorization',
    summary: 'Ask whether the person has approved',
    description:
      'Code 4801 while the person has not decided. A poll before the interval has passed gets 4802, and the interval grows by 5 seconds for good. Approved, every poll until the end of the session answers the same key.',
    tag: 'auth',
    access: 'open',
    write: 'unkeyed',
    body: pollBody,
    data: approved,
    signals: { authorization_pending: pending },
    errors: ['slow_down', 'access_denied', 'expired_token'],
    handler: (ctx, { body }) => pollDeviceSession(ctx, body.device_code),
  });
  add({
    method: 'GET',
    url: '/api/v1/auth/device-auth/lookup',
    operationId: 'lookUpDeviceAuthorization',
    summary: 'See which agent asks',
    description:
      'For the page on which a person approves. 10 wrong codes of a person, or 20 of an address, in 10 minutes stop further tries.',
    tag: 'auth',
    access: 'human',
    write: 'none',
    query: lookupQuery,
    data: lookedUp,
    errors: ['not_found'],
    handler: (ctx, { query }) => lookUpDeviceSession(ctx, query.user_code),
  });
  add({
    method: 'POST',
    url: '/api/v1/auth/device-auth/confirm',
    operationId: 'confirmDeviceAuthorization',
    summary: 'Approve or deny what an agent asks',
    description:
      'Final: the same decision again gets the same answer, any other 4093. Approval lets agents of this type that you approved act for you, until you revoke the grant of their platform.',
    tag: 'auth',
    access: 'human',
    // Records answer and change in a SQL transaction of its own, as a workflow does: a refusal is counted, and must commit.
    write: 'workflow',
    body: confirmBody,
    data: confirmed,
    errors: ['not_found', 'conflict', 'expired_token'],
    handler: (ctx, { body }) => decideDeviceSession(ctx, body),
  });
}
