/** Why a call did not succeed. `code` is that of the envelope; 0 where no answer came at all. */
export class Problem extends Error {
  /**
   * @param {number} code
   * @param {Record<string, any> | null} data
   */
  constructor(code, data) {
    super(`the service answered ${code}`);
    this.code = code;
    this.data = data;
  }

  /** Seconds to wait before another try, where too many were made. */
  get waitSec() {
    return this.code === codes.rateLimited ? Number(this.data?.['retry_after_sec'] ?? 60) : null;
  }
}

/** The codes on which the pages branch; domain/errors.ts has them all. */
export const codes = {
  invalid: 4000,
  unauthenticated: 4010,
  tokenExpired: 4011,
  forbidden: 4030,
  notFound: 4040,
  conflict: 4093,
  rateLimited: 4290,
  expired: 4804,
};

const answerLimitMs = 20_000;
let skewMs = 0;

/** Now by the clock of the service, as far as the last answer told: a person's own may be wrong by hours. */
export function serviceNow() {
  return Date.now() + skewMs;
}

/**
 * Makes one call and answers its data. The token travels in a header that only this script sets, and cookies stay out
 * of it: another site can make the browser send neither, so there is no request to forge.
 *
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path below /api/v1
 * @param {{ body?: object, token?: string }} [options]
 * @returns {Promise<any>}
 * @throws {Problem}
 */
export async function call(method, path, { body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  /** @type {RequestInit} */
  const request = { method, headers, credentials: 'omit', cache: 'no-store', redirect: 'error' };
  if (body !== undefined) request.body = JSON.stringify(body);
  const envelope = await answerTo(`/api/v1${path}`, { ...request, signal: AbortSignal.timeout(answerLimitMs) });
  if (envelope.code !== 0) throw new Problem(envelope.code, envelope.data);
  return envelope.data;
}

/**
 * @param {string} url
 * @param {RequestInit} request
 */
async function answerTo(url, request) {
  try {
    const response = await fetch(url, request);
    const envelope = await response.json();
    if (typeof envelope.code !== 'number') throw new TypeError('no envelope');
    if (typeof envelope.timestamp === 'number') skewMs = envelope.timestamp - Date.now();
    return envelope;
  } catch {
    // No way to the service, no answer in time, or one of something in between, such as a proxy.
    throw new Problem(0, null);
  }
}
