import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import type { Log } from './progress.ts';
import { type Supervised, supervise } from './supervise.ts';

const SPAWN_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** One process of the service itself. */
export type ServiceProcess = {
  readonly name: string;
  /** From the root of the project. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
};

/** Starts a process of the service from its source and starts it again whenever it dies. */
export function startService({ name, entry, env, dataDir }: ServiceProcess, log: Log): Promise<Supervised> {
  const start = () =>
    startChild({
      name,
      command: process.execPath,
      args: [entry],
      env,
      cwd: root,
      dataDir,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      readyTimeoutMs: SPAWN_TIMEOUT_MS,
      probe: null,
    });
  return supervise(name, start, log);
}
