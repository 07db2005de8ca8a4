const censored = '[Redacted]';

/** What the log never holds: credentials, and the query of the addresses that carry a user code. */
export const logRedaction = {
  paths: ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.url'],
  censor: (value: unknown, path: readonly string[]): unknown =>
    path.at(-1) === 'url' ? withoutUserCode(String(value)) : censored,
};

function withoutUserCode(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  // The names of a query's fields may be written in several ways: all of it goes.
  return query === undefined || !/\bdevice\b/.test(path) ? url : `${path}?${censored}`;
}
