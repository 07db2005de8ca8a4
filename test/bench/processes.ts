import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

const children: ChildProcess[] = [];

/** Starts a program of this repository as a process of its own. */
export function start(path: string, env: Readonly<Record<string, string>>): ChildProcess {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const execArgv =
    process.env['BENCH_PROFILE'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env['BENCH_PROFILE']}`];
  const child = fork(file, [], {
    env: { ...process.env, ...env },
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  return child;
}

/** The first message that a program sends. */
export async function firstMessage(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [string];
  return message;
}

/** Waits until an address answers 200. */
export async function answers(url: string): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  for (;;) {
    const response = await fetch(url, { signal: limit }).catch(() => null);
    if (response?.status === 200) return;
    limit.throwIfAborted();
    // Whether a process of its own is ready can only be asked.
    await delay(100);
  }
}

export async function stopAll(): Promise<void> {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(async (child) => (child.exitCode === null ? await once(child, 'exit') : undefined)));
}
