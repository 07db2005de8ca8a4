/**
 * The one table of errors: name → code, HTTP status, public text. The OpenAPI description, the JSON-RPC mapping and the
 * docs are made from it. The public text says what to do; internals belong into `cause` and the log only.
 */
export const errorTable = {
  validation_failed: { code: 4000, httpStatus: 422, text: 'The request has invalid fields. See data.errors.' },
  malformed_request: { code: 4001, httpStatus: 400, text: 'The request could not be read. Send well-formed JSON.' },
  idempotency_key_required: {
    code: 4002,
    httpStatus: 400,
    text: 'Agents must send the header Idempotency-Key with every write. Send a new unique key, and the same key on a retry.',
  },
  mixed_credentials: {
    code: 4003,
    httpStatus: 400,
    text: 'Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.',
  },
  unauthenticated: {
    code: 4010,
    httpStatus: 401,
    text: 'Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.',
  },
  token_expired: { code: 4011, httpStatus: 401, text: 'The token has expired. Refresh it or sign in again.' },
  invalid_api_key: { code: 4012, httpStatus: 401, text: 'The API key is unknown, revoked or expired.' },
  insufficient_balance: {
    code: 4020,
    httpStatus: 402,
    text: 'The available balance is too small. See data.available_ut and data.required_ut.',
  },
  forbidden: { code: 4030, httpStatus: 403, text: 'You may not do this.' },
  not_a_party: {
    code: 4031,
    httpStatus: 403,
    text: 'You are not a party to this transaction, or not the one to do this.',
  },
  agent_only: { code: 4032, httpStatus: 403, text: 'Only agents (API key) may do this.' },
  human_only: { code: 4032, httpStatus: 403, text: 'Only humans (bearer token) may do this.' },
  owner_type_mismatch: { code: 4033, httpStatus: 403, text: 'This belongs to the other kind of caller.' },
  user_not_granted: { code: 4034, httpStatus: 403, text: 'This user has not granted this platform the right to act.' },
  self_dealing: { code: 4035, httpStatus: 403, text: 'Buyer and seller must be different users.' },
  not_found: { code: 4040, httpStatus: 404, text: 'Not found.' },
  method_not_allowed: {
    code: 4050,
    httpStatus: 405,
    text: 'This address does not answer this method. See the Allow header.',
  },
  invalid_state: {
    code: 4090,
    httpStatus: 409,
    text: 'The present status does not allow this. See data.status and data.allowed_operations.',
  },
  idempotency_key_in_use: {
    code: 4091,
    httpStatus: 409,
    text: 'The first request with this Idempotency-Key is still running. Retry after data.retry_after_sec.',
  },
  idempotency_key_reused: {
    code: 4092,
    httpStatus: 422,
    text: 'This Idempotency-Key was used for another request. Send a new key.',
  },
  conflict: { code: 4093, httpStatus: 409, text: 'This conflicts with something that exists, or is not available.' },
  payload_too_large: { code: 4130, httpStatus: 413, text: 'The request body is too large.' },
  unsupported_media_type: { code: 4150, httpStatus: 415, text: 'Send Content-Type: application/json.' },
  rate_limited: { code: 4290, httpStatus: 429, text: 'Too many requests. Retry after data.retry_after_sec.' },
  daily_limit_reached: {
    code: 4291,
    httpStatus: 429,
    text: 'A daily limit is reached: that of the capability, or of what the API key may spend. See data.retry_after_sec.',
  },
  authorization_pending: { code: 4801, httpStatus: 200, text: 'authorization_pending' },
  slow_down: { code: 4802, httpStatus: 429, text: 'slow_down' },
  access_denied: { code: 4803, httpStatus: 403, text: 'access_denied' },
  expired_token: { code: 4804, httpStatus: 410, text: 'expired_token' },
  internal_error: {
    code: 5000,
    httpStatus: 500,
    text: 'Something went wrong here. Quote the X-Request-Id to support.',
  },
  callback_failed: { code: 5020, httpStatus: 502, text: 'The seller did not answer as agreed. Nothing was charged.' },
  unavailable: {
    code: 5030,
    httpStatus: 503,
    text: 'The service is briefly unavailable. Retry with the same Idempotency-Key after data.retry_after_sec.',
  },
  callback_timeout: { code: 5040, httpStatus: 504, text: 'The seller did not answer in time. Nothing was charged.' },
} as const satisfies Record<string, { code: number; httpStatus: number; text: string }>;

export type ErrorName = keyof typeof errorTable;

/** What a client needs to go on; JSON values only. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** A refusal that a caller sees: a row of the table, its data, and optionally a more precise public text. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly errorName: ErrorName;
  readonly data: ErrorData | null;

  constructor(errorName: ErrorName, data: ErrorData | null = null, options: { text?: string; cause?: unknown } = {}) {
    super(options.text ?? errorTable[errorName].text, options.cause === undefined ? {} : { cause: options.cause });
    this.errorName = errorName;
    this.data = data;
  }
}

/** True for a string that names a row of the table, such as the type of a failure that crossed from a workflow. */
export function isErrorName(name: string | null | undefined): name is ErrorName {
  return typeof name === 'string' && Object.hasOwn(errorTable, name);
}

/** A 4000 that names the field: `path` as in the body, dots between levels. */
export function invalidField(path: string, message: string): MarketplaceError {
  return new MarketplaceError('validation_failed', { errors: [{ path, message }] });
}
