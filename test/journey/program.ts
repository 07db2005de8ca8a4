import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const startLimitMs = 40_000;
const endLimitMs = 10_000;
const living = new Set<ChildProcess>();
// A test runner that ends early must not leave processes behind.
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A program of the service as a process of its own, which can be killed and started again. */
export interface Program {
  readonly pid: number | null;
  /** Comes back when the program says that it is ready. */
  start(): Promise<void>;
  /** SIGKILL: nothing is finished, nothing is said. Comes back when the process is gone. */
  kill(): Promise<void>;
}

/** `environment` is asked at every start; `isReady` is shown every line that the program prints. */
export function program(
  path: string,
  environment: () => Promise<Readonly<Record<string, string>>>,
  isReady: (line: string) => boolean,
): Program {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  let running: ChildProcess | null = null;
  return {
    get pid() {
      return running?.pid ?? null;
    },
    async start() {
      const env = { ...process.env, ...(await environment()) };
      const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
      living.add(child);
      child.once('exit', () => living.delete(child));
      running = child;
      await untilReady(path, child, isReady);
    },
    async kill() {
      const child = running;
      running = null;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit', { signal: AbortSignal.timeout(endLimitMs) });
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilReady(path: string, child: ChildProcess, isReady: (line: string) => boolean): Promise<void> {
  const ready = Promise.withResolvers<void>();
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) throw new Error(`${path} has no output`);
    createInterface(stream).on('line', (line) => {
      if (lines.length < 200) lines.push(line);
      if (isReady(line)) ready.resolve();
    });
  }
  const fail = (how: string) => ready.reject(new Error(`${path} ${how}:\n${lines.join('\n')}`));
  child.once('exit', () => fail('ended before it was ready'));
  const limit = AbortSignal.timeout(startLimitMs);
  limit.addEventListener('abort', () => fail(`was not ready within ${startLimitMs} ms`));
  await ready.promise;
}
