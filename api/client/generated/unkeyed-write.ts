// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.

/** Writes that take no Idempotency-Key. */
export const unkeyedWrites = [
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/logout-all',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/device-auth',
  'POST /api/v1/auth/device-auth/poll',
] as const;
