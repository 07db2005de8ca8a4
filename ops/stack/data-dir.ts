import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { commandLineOf, endProcess, processIdentity } from './process-identity.ts';
import type { Log } from './progress.ts';

const ORPHAN_STOP_TIMEOUT_MS = 20_000;

const mark = z.object({
  pid: z.int().positive(),
  identity: z.string(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
type Mark = z.infer<typeof mark>;

/** A data directory that this process alone may use until `release`. */
export type ClaimedDataDir = { readonly path: string; release(): void };

/**
 * Takes a data directory for this process. Fails if another living starter has it; stops what a killed starter left
 * running in it.
 */
export async function claimDataDir(directory: string, log: Log): Promise<ClaimedDataDir> {
  const path = resolve(directory);
  for (const dir of [path, runDir(path), join(path, 'log'), join(path, 'bin')]) mkdirSync(dir, { recursive: true });
  const lock = join(runDir(path), 'starter.lock');
  takeLock(lock, path);
  try {
    await stopOrphans(path, log);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
  return { path, release: () => rmSync(lock, { force: true }) };
}

/** Notes a running part, so that a later starter finds it should this one be killed. The result takes the note away. */
export function notePart(dataDir: string, name: string, pid: number, stopSignal: Mark['stopSignal']): () => void {
  const file = join(runDir(dataDir), `${name}.pid`);
  const identity = processIdentity(pid);
  if (identity === null) return () => undefined;
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, JSON.stringify({ pid, identity, stopSignal } satisfies Mark));
  renameSync(temporary, file);
  return () => {
    if (readMark(file)?.pid === pid) rmSync(file, { force: true });
  };
}

function runDir(dataDir: string): string {
  return join(dataDir, 'run');
}

function takeLock(lock: string, dataDir: string): void {
  const own: Mark = { pid: process.pid, identity: processIdentity(process.pid) ?? '', stopSignal: 'SIGTERM' };
  const temporary = `${lock}.${randomUUID()}`;
  writeFileSync(temporary, JSON.stringify(own));
  try {
    // A link appears complete or not at all; of several starters at once one gets it.
    for (let attempt = 0; attempt < 5; attempt++) {
      if (linkOnce(temporary, lock)) return;
      const holder = readMark(lock);
      if (holder !== null && isAlive(holder)) {
        throw new Error(
          `The data directory ${dataDir} is in use by process ${holder.pid} (${commandLineOf(holder.pid)}). ` +
            `Stop it first (kill ${holder.pid}) or set DATA_DIR to another directory.`,
        );
      }
      discardStale(lock);
    }
    throw new Error(`The data directory ${dataDir} could not be locked: others keep taking ${lock}.`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Moves the lock aside before deleting it, and puts it back if a living starter took it in between. */
function discardStale(lock: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  const moved = readMark(aside);
  if (moved !== null && isAlive(moved)) linkOnce(aside, lock);
  rmSync(aside, { force: true });
}

function linkOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function stopOrphans(dataDir: string, log: Log): Promise<void> {
  const files = readdirSync(runDir(dataDir)).filter((name) => name.endsWith('.pid'));
  await Promise.all(
    files.map(async (name) => {
      const file = join(runDir(dataDir), name);
      const orphan = readMark(file);
      if (orphan !== null && isAlive(orphan)) {
        log(`Stopping ${name.replace(/\.pid$/, '')} (process ${orphan.pid}), left running by a start that was killed.`);
        await endProcess(orphan.pid, orphan.stopSignal, ORPHAN_STOP_TIMEOUT_MS);
      }
      rmSync(file, { force: true });
    }),
  );
}

function isAlive(holder: Mark): boolean {
  return processIdentity(holder.pid) === holder.identity;
}

function readMark(file: string): Mark | null {
  try {
    return mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Reads a file that only its owner may read, writing it first if it is absent. */
export function readOrMakeSecret(file: string, make: () => string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const temporary = `${file}.${randomUUID()}`;
  const content = make();
  writeFileSync(temporary, content, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
  return content;
}
