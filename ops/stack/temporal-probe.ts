import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from './deadline.ts';
import { buildWithGo, cacheDir, findBuilt, goPrograms } from './go-build.ts';
import { type Log, withProgress } from './progress.ts';
import type { TemporalProbe, TemporalSource } from './temporal-resolver.ts';

const run = promisify(execFile);
const DOWNLOAD_SITE = 'https://temporal.download/';
const REACH_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;

/** The ways to come by a Temporal server on this machine, quickest first. */
export function temporalProbes(dataDir: string, log: Log): TemporalProbe[] {
  const downloadDir = join(cacheDir(), 'temporal-cli');
  const { server } = goPrograms;
  return [
    {
      name: 'Temporal CLI on PATH',
      find: async () => ((await isCli('temporal')) ? { kind: 'cli', path: 'temporal', origin: 'PATH' } : null),
      remedy: 'install the Temporal CLI so that `temporal --version` works: https://docs.temporal.io/cli',
    },
    {
      name: 'binary of an earlier start',
      find: async () => {
        const path = await findBuilt(server, dataDir);
        return path === null ? findDownloaded(downloadDir) : { kind: 'server', path, origin: 'built before' };
      },
      remedy: '',
    },
    {
      name: `download of the Temporal CLI from ${DOWNLOAD_SITE}`,
      find: () => download(downloadDir, log),
      remedy: `allow this machine to reach ${DOWNLOAD_SITE}`,
    },
    {
      name: `Go build of ${server.package}@${server.version}`,
      find: async () => ({ kind: 'server', path: await buildWithGo(server, dataDir, log), origin: 'built with Go' }),
      remedy: 'install Go 1.26 or newer (https://go.dev/dl), with access to a Go module proxy',
    },
  ];
}

async function isCli(path: string): Promise<boolean> {
  try {
    // The plain server answers "temporal version 1.x" alike, but only the CLI can start a development server.
    const { stdout } = await run(path, ['server', 'start-dev', '--help'], { timeout: 10_000 });
    return stdout.includes('--db-filename');
  } catch {
    return false;
  }
}

async function findDownloaded(downloadDir: string): Promise<TemporalSource | null> {
  mkdirSync(downloadDir, { recursive: true });
  for (const name of readdirSync(downloadDir)) {
    const path = join(downloadDir, name);
    if (await isCli(path)) return { kind: 'cli', path, origin: 'downloaded' };
  }
  return null;
}

/** The download of the SDK cannot be cancelled, hence a process of its own, and none at all where the site is out of reach. */
async function download(downloadDir: string, log: Log): Promise<TemporalSource | null> {
  try {
    await fetch(DOWNLOAD_SITE, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACH_TIMEOUT_MS) });
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Error(`cannot be reached (${messageOf(reason)})`, { cause: error });
  }
  mkdirSync(downloadDir, { recursive: true });
  const script = fileURLToPath(new URL('temporal-download.ts', import.meta.url));
  const work = run(process.execPath, [script, downloadDir], { timeout: DOWNLOAD_TIMEOUT_MS });
  try {
    await withProgress(log, 'Downloading the Temporal CLI', work);
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(output === '' ? `no download (${messageOf(error)})` : output.slice(-400), { cause: error });
  }
  return findDownloaded(downloadDir);
}
