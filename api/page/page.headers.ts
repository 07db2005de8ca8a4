/**
 * Stricter than what the API sends where it matters on a page: only scripts and styles from files of our own, no frame
 * around the page, and no string that becomes script (`trusted-types 'none'`), so that whatever comes from outside can
 * only ever be text.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Sent with every page; they take the place of the API's own where both have one. */
export const pageHeaders = {
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex',
} as const;
