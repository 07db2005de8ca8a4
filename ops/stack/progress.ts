const QUIET_MS = 2_000;
const TTY_EVERY_MS = 1_000;
const LINE_EVERY_MS = 10_000;

/** Writes one line of the log. */
export type Log = (line: string) => void;

/**
 * Runs `work` and, once it takes longer than two seconds, shows that it is still going on and for how long. `onTerminal`
 * updates one line in place; otherwise a line appears about every ten seconds, for logs of CI.
 */
export async function withProgress<T>(
  log: Log,
  what: string,
  work: Promise<T>,
  onTerminal: boolean = process.stdout.isTTY,
): Promise<T> {
  const startMs = performance.now();
  const elapsed = () => `${Math.round((performance.now() - startMs) / 1000)} s`;
  let shown = false;
  const show = () => {
    shown = true;
    if (onTerminal) process.stdout.write(`\r\u001B[2K${what} … ${elapsed()}`);
    else log(`${what} … ${elapsed()}`);
  };
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    show();
    repeat = setInterval(show, onTerminal ? TTY_EVERY_MS : LINE_EVERY_MS);
  }, QUIET_MS);
  try {
    return await work;
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
    if (shown) {
      if (onTerminal) process.stdout.write('\r\u001B[2K');
      log(`${what}: ${elapsed()}`);
    }
  }
}
