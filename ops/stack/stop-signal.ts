const SAME_CTRL_C_MS = 1_000;
const PARENT_CHECK_MS = 1_000;

/** Resolves with the reason when this process is asked to stop; a later second signal calls `onForced`. */
export function stopRequest(onForced: () => void): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let firstMs: number | null = null;
  const ask = (reason: string) => {
    // One Ctrl-C may arrive several times: from the terminal and passed on by npm.
    if (firstMs !== null && performance.now() - firstMs > SAME_CTRL_C_MS) onForced();
    firstMs ??= performance.now();
    resolve(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  watchParent(() => resolve('the process that started this one was killed'));
  return promise;
}

/** A parent killed by SIGKILL passes nothing on, and its end is announced by no event. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  if (process.env['MARKETPLACE_BOOTSTRAP_PID'] !== String(parent)) return;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    onGone();
  }, PARENT_CHECK_MS);
  check.unref();
}
