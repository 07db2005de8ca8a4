import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { notePart } from './data-dir.ts';
import { messageOf, pollUntil, withDeadline } from './deadline.ts';

const MAX_LOG_BYTES = 50_000_000;
const KILL_TIMEOUT_MS = 10_000;

/** Thrown of a child that was gone before it could be asked, unlike one that runs and does not answer. */
export class EndedEarlyError extends Error {
  override readonly name = 'EndedEarlyError';
}

/** How to run one part of the system. */
export type ChildSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly account?: { readonly uid: number; readonly gid: number };
  /** Its log goes to `log/<name>.log` in here, the note of its pid to `run/<name>.pid`. */
  readonly dataDir: string;
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly stopTimeoutMs: number;
  readonly readyTimeoutMs: number;
  /** Succeeds once the part serves; null: it counts as ready as soon as it runs. */
  readonly probe: (() => Promise<unknown>) | null;
};

/** A part that runs and is ready. */
export type RunningChild = {
  readonly name: string;
  readonly pid: number;
  /** Settles when the process has ended, however it did, with words for it. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
};

const living = new Map<ChildProcess, NodeJS.Signals>();
// A starter that ends without stopping its parts (a crash, process.exit of a test runner) must not leave them behind.
process.once('exit', () => {
  for (const [child, signal] of living) child.kill(signal);
});

/** The last resort: ends every part at once. Their data is as safe as after a crash. */
export function killLivingChildren(): void {
  for (const child of living.keys()) child.kill('SIGKILL');
}

/**
 * Starts a process and waits until it is ready; one that is not ready in time is stopped. Rejects with its last words, as an
 * EndedEarlyError where it had ended by itself.
 */
export async function startChild(spec: ChildSpec): Promise<RunningChild> {
  const logFile = join(spec.dataDir, 'log', `${spec.name}.log`);
  const { child, logStartByte } = spawnLogged(spec, logFile);
  const exited = endOf(child);
  await withDeadline(`spawning ${spec.name}`, 10_000, Promise.race([once(child, 'spawn'), exited]));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${spec.name} could not be started: ${await exited}`);

  living.set(child, spec.stopSignal);
  const forget = notePart(spec.dataDir, spec.name, pid, spec.stopSignal);
  child.once('exit', () => {
    living.delete(child);
    forget();
  });
  const running = { name: spec.name, pid, exited, stop: () => stopChild(child, exited, spec) };
  try {
    await untilReady(spec, exited);
  } catch (error) {
    await running.stop();
    const tail = readTail(logFile, logStartByte);
    const Kind = error instanceof EndedEarlyError ? EndedEarlyError : Error;
    throw new Kind(`${messageOf(error)}\n${tail === '' ? '' : `${tail}\n`}(log: ${logFile})`, { cause: error });
  }
  return running;
}

function spawnLogged(spec: ChildSpec, logFile: string): { child: ChildProcess; logStartByte: number } {
  const sizeBytes = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
  const fd = openSync(logFile, 'a');
  try {
    const child = spawn(spec.command, spec.args, {
      env: spec.env,
      stdio: ['ignore', fd, fd],
      // A session of its own: Ctrl-C in a terminal goes to the whole process group, but the parts end in order.
      detached: true,
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      ...spec.account,
    });
    return { child, logStartByte: sizeBytes > MAX_LOG_BYTES ? 0 : sizeBytes };
  } finally {
    closeSync(fd);
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}

async function untilReady(spec: ChildSpec, exited: Promise<string>): Promise<void> {
  const { probe, name, readyTimeoutMs } = spec;
  if (probe === null) return;
  const ended = new AbortController();
  void exited.then((how) => ended.abort(new EndedEarlyError(`${name} ended before it was ready: ${how}`)));
  await pollUntil(`${name} did not become ready`, { timeoutMs: readyTimeoutMs, signal: ended.signal }, probe);
}

async function stopChild(child: ChildProcess, exited: Promise<string>, spec: ChildSpec): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(spec.stopSignal);
  try {
    await withDeadline(`stopping ${spec.name}`, spec.stopTimeoutMs, exited);
  } catch {
    child.kill('SIGKILL');
    await withDeadline(`killing ${spec.name}`, KILL_TIMEOUT_MS, exited);
  }
}

function readTail(file: string, fromByte: number): string {
  const fd = openSync(file, 'r');
  try {
    const sizeBytes = statSync(file).size;
    const start = Math.max(fromByte, sizeBytes - 3_000);
    const buffer = Buffer.alloc(Math.max(sizeBytes - start, 0));
    readSync(fd, buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trim();
  } finally {
    closeSync(fd);
  }
}
