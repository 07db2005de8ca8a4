import { call, codes, Problem, serviceNow } from './service.js';

/**
 * @typedef {object} Session
 * @property {string} access
 * @property {string} refresh
 * @property {number} endsAt by the clock of the service
 * @property {string} email
 */

/**
 * The tokens lie in sessionStorage, so that /device and /connections share the sign-in of their tab. It ends with the
 * tab, no other tab or site can read it, and the browser never sends it by itself, as it would a cookie: no request
 * can be forged. What scripts can read foreign scripts could steal; the policy of these pages lets none run.
 */
const storageKey = 'marketplace.session';

// Refreshed a little early: a token may run out on its way.
const earlyMs = 20_000;

/** Somebody has to sign in, again or for the first time. */
export class SignedOut extends Error {}

/** @returns {Session | null} */
export function currentSession() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Session | null} session */
function keep(session) {
  if (session === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(session));
  document.dispatchEvent(new Event('session'));
}

/**
 * @param {any} answer of login or refresh
 * @returns {Session}
 */
function sessionOf(answer) {
  const { access_token: access, refresh_token: refresh, expires_in: lifeSec, user } = answer;
  return { access, refresh, endsAt: serviceNow() + lifeSec * 1000, email: user.email };
}

/**
 * @param {string} email
 * @param {string} password
 */
export async function signIn(email, password) {
  keep(sessionOf(await call('POST', '/auth/login', { body: { email, password } })));
}

/** Ends the session here at once, and at the service as far as it can be reached. */
export async function signOut() {
  const session = currentSession();
  keep(null);
  if (session === null) return;
  await call('POST', '/auth/logout', { body: { refresh_token: session.refresh } }).catch(() => undefined);
}

/** @type {Promise<Session> | null} */
let refreshing = null;

/**
 * A refresh token works once, so that two calls at a time must share one refresh.
 *
 * @param {Session} session
 */
async function refreshed(session) {
  refreshing ??= renew(session).finally(() => {
    refreshing = null;
  });
  return await refreshing;
}

/**
 * @param {Session} session
 * @returns {Promise<Session>}
 */
async function renew(session) {
  try {
    const renewed = sessionOf(await call('POST', '/auth/refresh', { body: { refresh_token: session.refresh } }));
    keep(renewed);
    return renewed;
  } catch (error) {
    throw signedOutBy(error);
  }
}

/** @param {unknown} error */
function signedOutBy(error) {
  const isRefused = error instanceof Problem && [codes.unauthenticated, codes.tokenExpired].includes(error.code);
  if (!isRefused) return error;
  keep(null);
  return new SignedOut();
}

/**
 * Calls as the person who is signed in, with a fresh token where the old one ran out.
 *
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 * @throws {SignedOut | Problem}
 */
export async function callSignedIn(method, path, body) {
  let session = currentSession();
  if (session === null) throw new SignedOut();
  if (session.endsAt - earlyMs < serviceNow()) session = await refreshed(session);
  const options = body === undefined ? {} : { body };
  try {
    return await call(method, path, { ...options, token: session.access });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== codes.tokenExpired) throw signedOutBy(error);
  }
  const { access } = await refreshed(session);
  return await call(method, path, { ...options, token: access }).catch((error) => {
    throw signedOutBy(error);
  });
}
