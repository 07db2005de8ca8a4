import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from './deadline.ts';
import { type Log, withProgress } from './progress.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 30 * 60_000;

/** A Go program at a pinned version; `go install` checks its modules against the public checksum database. */
export type GoProgram = { readonly name: string; readonly package: string; readonly version: string };

/** The server and its web interface; the newest versions that were seen to build together. */
export const goPrograms = {
  server: { name: 'temporal-server', package: 'go.temporal.io/server/cmd/server', version: 'v1.32.0' },
  ui: { name: 'temporal-ui', package: 'github.com/temporalio/ui-server/v2/cmd/server', version: 'v2.54.1' },
} as const satisfies Record<string, GoProgram>;

/** The machine-wide place for binaries, so that fresh clones and other data directories find them again. */
export function cacheDir(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'marketplace');
}

/** The binary of an earlier build, if one is there and runs. */
export async function findBuilt(program: GoProgram, dataDir: string): Promise<string | null> {
  for (const path of placesOf(program, dataDir)) {
    if (existsSync(path) && (await runsAs(program, path))) return path;
  }
  return null;
}

/** Builds a program with the Go of this machine; minutes the first time. Answers where the binary now is. */
export async function buildWithGo(program: GoProgram, dataDir: string, log: Log): Promise<string> {
  await run('go', ['version'], { timeout: 10_000 }).catch((error: unknown) => {
    throw new Error(`Go is not installed (${messageOf(error)})`, { cause: error });
  });
  const target = placesOf(program, dataDir).find((path) => isWritableDir(dirname(path)));
  if (target === undefined) throw new Error(`neither ${placesOf(program, dataDir).join(' nor ')} can be written`);
  // Both programs install as "server"; a directory of its own, next to the target, allows an atomic rename.
  const buildDir = mkdtempSync(join(dirname(target), 'build-'));
  try {
    const what = `Building ${program.name} ${program.version} with Go (once; some minutes the first time)`;
    log(`${what} …`);
    await withProgress(log, what, goInstall(program, buildDir));
    renameSync(join(buildDir, 'server'), target);
    return target;
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
}

async function goInstall(program: GoProgram, buildDir: string): Promise<void> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOBIN: buildDir };
  // Go refuses GOBIN when it builds for another platform than its own.
  Reflect.deleteProperty(env, 'GOOS');
  Reflect.deleteProperty(env, 'GOARCH');
  try {
    await run('go', ['install', `${program.package}@${program.version}`], {
      env,
      cwd: buildDir,
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: 64_000_000,
    });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const lastLines = output.split('\n').slice(-5).join('\n');
    throw new Error(`go install failed: ${lastLines === '' ? messageOf(error) : lastLines}`, { cause: error });
  }
}

function placesOf(program: GoProgram, dataDir: string): string[] {
  const name = `${program.name}-${program.version}`;
  return [join(cacheDir(), name), join(dataDir, 'bin', name)];
}

function isWritableDir(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function runsAs(program: GoProgram, path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
    return stdout.includes(program.version.replace(/^v/, ''));
  } catch {
    return false;
  }
}
