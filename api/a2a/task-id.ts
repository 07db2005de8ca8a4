import { derivedId } from '../../domain/identity/derived-id.ts';
import { ProtocolFault } from './protocol-fault.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for what can be the id of a transaction. */
export function isUuid(text: string): boolean {
  return form.test(text);
}

/** The transaction that a caller of v0.1 makes under a task id of their own. */
export function transactionIdOf(userId: string, clientTaskId: string): string {
  return derivedId('a2a task', userId, clientTaskId);
}

/** The context of a task of which nothing was bought yet, where the client named none. */
export function proposalContextId(taskId: string): string {
  return derivedId('a2a context', taskId);
}

/** A session of v0.1 is any text; a context is a UUID. */
export function contextIdOfSession(userId: string, sessionId: string): string {
  return isUuid(sessionId) ? sessionId.toLowerCase() : derivedId('a2a session', userId, sessionId);
}

/** Checks a context id that a client chose; null where it chose none. */
export function chosenContextId(given: string): string | null {
  if (given === '') return null;
  if (!isUuid(given))
    throw new ProtocolFault('invalid_params', 'contextId must be a UUID; leave it out for a new one.');
  return given.toLowerCase();
}
