import { invalidField } from '../errors.ts';

/** Where the events of one task are to be posted, as a client of an agent protocol asks for it. */
export interface PushConfig {
  /** The client's id for it; null where it chose none. */
  readonly configId: string | null;
  readonly url: string;
  /** Comes back in a header, so that the receiver knows the sender. */
  readonly token: string | null;
  readonly authentication: PushAuthentication | null;
}

/** What goes into the header Authorization. `Bearer` without credentials asks for a JWT of the platform's. */
export interface PushAuthentication {
  readonly scheme: string;
  readonly credentials: string | null;
}

/** What is sealed of a config: all that the headers of its notifications are made of. */
export interface PushCredential extends Pick<PushConfig, 'token' | 'authentication'> {
  /** As the client knows the task. */
  readonly taskId: string;
}

/** The open half of a config, beside its webhook's own fields. */
export interface PushData {
  readonly scheme: string | null;
  /** By which ids a client of v0.1 knows the task; null for those of the platform. */
  readonly ids: { readonly id: string; readonly sessionId: string | null } | null;
}

/** Enough for anybody's own programs, and a bound to what one event can set off. */
export const configsPerTask = 10;

const visible = /^[\x21-\x7e]+$/;
const printable = /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/;
const schemeForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,50}$/;

/**
 * Throws validation_failed for a config that cannot be; the address has rules of its own besides. Token and credentials
 * become parts of headers, so nothing in them may end a line.
 */
export function checkPushConfig({ configId, url, token, authentication }: PushConfig): void {
  if (configId !== null && !isConfigId(configId))
    throw invalidField('id', 'must have 1 to 200 visible ASCII characters');
  if (url.length > 2_000) throw invalidField('url', 'must have at most 2000 characters');
  if (token !== null && (token.length > 1_000 || !visible.test(token)))
    throw invalidField('token', 'must have 1 to 1000 visible ASCII characters');
  if (authentication !== null) checkAuthentication(authentication);
}

/** True for what can be the id of a config. */
export function isConfigId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200 && visible.test(value);
}

function checkAuthentication({ scheme, credentials }: PushAuthentication): void {
  if (!schemeForm.test(scheme))
    throw invalidField('authentication.scheme', 'must be the name of an HTTP authentication scheme');
  if (credentials === null && !isBearer(scheme))
    throw invalidField('authentication.credentials', `are needed for ${scheme}; only Bearer goes without`);
  if (credentials !== null && (credentials.length > 4_000 || !printable.test(credentials)))
    throw invalidField('authentication.credentials', 'must have 1 to 4000 printable ASCII characters');
}

/** True for the scheme whose credentials the platform can make by itself. */
export function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer';
}
