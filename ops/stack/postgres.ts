import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type RunningChild, startChild } from './child.ts';
import { readOrMakeSecret } from './data-dir.ts';
import { messageOf } from './deadline.ts';
import { commandLineOf, endProcess } from './process-identity.ts';
import {
  findPostgresBinaries,
  type PostgresAccount,
  type PostgresBinaries,
  postgresAccount,
} from './postgres-binary.ts';

const run = promisify(execFile);
const DATABASE = 'marketplace';
const INITDB_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;

/** Everything a start of the embedded server needs, so that it can be repeated after a death. */
export type EmbeddedPostgres = { readonly databaseUrl: string; readonly start: () => Promise<RunningChild> };

/** Makes the database cluster on first use. The returned `start` runs it with a database for the service in it. */
export async function preparePostgres(dataDir: string, port: number, durable: boolean): Promise<EmbeddedPostgres> {
  const directory = join(dataDir, 'postgres');
  const password = readOrMakeSecret(join(dataDir, 'postgres.password'), () => randomBytes(24).toString('base64url'));
  const binaries = await findPostgresBinaries();
  const account = postgresAccount([binaries.postgres, dataDir]);
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(directory, password, binaries, account, durable);

  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const start = async () => {
    await clearStalePid(directory);
    const { command, args, becomeOwner } = account.wrap(binaries.postgres, serverArgs(directory, port, durable));
    const server = await startChild({
      name: 'postgres',
      command,
      args,
      env: { ...process.env, LC_MESSAGES: 'C', TZ: 'UTC' },
      cwd: '/',
      ...(becomeOwner && account.owner !== undefined ? { account: account.owner } : {}),
      dataDir,
      // Fast shutdown: clients are cut off, data is written. SIGTERM would wait for every client to leave.
      stopSignal: 'SIGINT',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      readyTimeoutMs: READY_TIMEOUT_MS,
      probe: () => checkDatabase(urlOf('postgres')),
    });
    await createDatabase(urlOf('postgres')).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return server;
  };
  return { databaseUrl: urlOf(DATABASE), start };
}

/** Succeeds if the database answers a query. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('select 1'));
}

async function initialise(
  directory: string,
  password: string,
  binaries: PostgresBinaries,
  account: PostgresAccount,
  durable: boolean,
): Promise<void> {
  // Under another name until complete: an initdb cut short must not look like a cluster.
  const draft = `${directory}.${randomUUID()}`;
  const passwordFile = `${draft}.password`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    for (const path of account.owner === undefined ? [] : [draft, passwordFile]) {
      chownSync(path, account.owner?.uid ?? -1, account.owner?.gid ?? -1);
    }
    const initdb = (characterClasses: string) => {
      const wanted = initdbArgs(draft, passwordFile, characterClasses, durable);
      const { command, args, becomeOwner } = account.wrap(binaries.initdb, wanted);
      const env = { ...process.env, LC_ALL: 'C' };
      return run(command, args, { timeout: INITDB_TIMEOUT_MS, cwd: '/', env, ...(becomeOwner ? account.owner : {}) });
    };
    await initdb('C.UTF-8').catch((error: unknown) => {
      // Some systems have no such locale; there pg_trgm sees only the letters of ASCII.
      if (!messageOf(error).includes('invalid locale name')) throw error;
      return initdb('C');
    });
    chmodSync(draft, 0o700);
    renameSync(draft, directory);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Texts sort by code point, the same on every machine. The letters of all scripts count as letters: with plain C,
 * pg_trgm finds no trigram in a Chinese text and lower() leaves an umlaut as it is.
 */
function initdbArgs(directory: string, passwordFile: string, characterClasses: string, durable: boolean): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${characterClasses}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

function serverArgs(directory: string, port: number, durable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', directory, '-p', String(port), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
}

/**
 * PostgreSQL refuses to start if its pid file names a living process, even one that has nothing to do with it. A server
 * of this very directory is stopped, any other process shows that the file is a leftover.
 */
async function clearStalePid(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (Number.isInteger(pid) && pid > 0 && commandLineOf(pid).includes(`-D ${directory}`)) {
    await endProcess(pid, 'SIGINT', STOP_TIMEOUT_MS);
  }
  rmSync(file, { force: true });
}

async function createDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: 15_000,
  });
  // An error event without a listener would end this process; the failed query reports it already.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
