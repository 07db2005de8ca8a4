import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as DatabaseClient } from 'pg';
import { migrate } from '../../domain/store/migrate.ts';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { ensureNamespace } from '../../ops/stack/namespace.ts';
import { freePorts } from '../../ops/stack/ports.ts';
import { startStack, type Stack } from '../../ops/stack/stack.ts';
import { transactionWorkflowId } from '../../workflows/messages.ts';
import type { TestStack } from '../global-setup.ts';
import { send, type Credentials } from './caller.ts';
import { program, type Program } from './program.ts';

/** How the first admin of every marketplace signs in. */
export const adminLogin = { email: 'admin@journey.example', password: 'journey-admin-password' };

/** API and worker as processes of their own, over a database and a Temporal namespace of their own. */
export interface Marketplace {
  /** Another one after each start of the API. */
  readonly base: () => string;
  readonly api: Program;
  readonly worker: Program;
  /** Starts another API beside the first. */
  readonly anotherApi: () => Promise<ApiNode>;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly admin: Credentials;
}

/** One of several APIs. */
export type ApiNode = Pick<Marketplace, 'base' | 'api'>;

/** The servers below a marketplace. */
interface Servers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly dataDir: string;
}

/** A marketplace on the servers that all tests share. What it makes is put on `cleanup`, also when it fails. */
export async function openMarketplace(stack: TestStack, cleanup: AsyncDisposableStack): Promise<Marketplace> {
  const name = `journey_${randomBytes(8).toString('hex')}`;
  const onServer = (statement: string) => withDatabase(stack.adminDatabaseUrl, (client) => client.query(statement));
  cleanup.defer(async () => void (await onServer(`drop database if exists ${name} with (force)`)));
  await onServer(`create database ${name} template ${stack.templateDatabase}`);
  const url = new URL(stack.adminDatabaseUrl);
  url.pathname = `/${name}`;
  const temporalNamespace = name.replace('_', '-');
  await ensureNamespace(stack.temporalAddress, temporalNamespace);
  const dataDir = await makeDirectory(cleanup);
  return await start(
    { databaseUrl: url.href, temporalAddress: stack.temporalAddress, temporalNamespace, dataDir },
    cleanup,
  );
}

/** A marketplace on servers of its own, which may be killed. */
export async function openMarketplaceWithStack(
  cleanup: AsyncDisposableStack,
): Promise<{ marketplace: Marketplace; stack: Stack }> {
  const dataDir = await makeDirectory(cleanup);
  const temporalNamespace = 'journey';
  const stack = await startStack({
    dataDir: join(dataDir, 'stack'),
    temporalNamespace,
    ports: { postgres: 0, temporal: 0, temporalUi: null },
    durable: true,
    log: () => undefined,
  });
  cleanup.defer(() => stack.stop());
  await migrate(stack.databaseUrl);
  const { databaseUrl, temporalAddress } = stack;
  const marketplace = await start({ databaseUrl, temporalAddress, temporalNamespace, dataDir }, cleanup);
  return { marketplace, stack };
}

async function start(servers: Servers, cleanup: AsyncDisposableStack): Promise<Marketplace> {
  const { databaseUrl, temporalAddress, temporalNamespace, dataDir } = servers;
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    DATA_DIR: dataDir,
    // Tokens name the address they are for, and stay good although the port changes.
    PUBLIC_URL: 'http://marketplace.test',
    BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
    BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
    RATE_LIMIT_PER_MIN: '100000000',
    CALLBACK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'info',
  };
  const node = (): ApiNode => {
    let base = '';
    const onFreePort = async () => {
      const [port = 0] = await freePorts(1);
      base = `http://127.0.0.1:${port}`;
      return { ...env, PORT: String(port) };
    };
    const api = program('api/main.ts', onFreePort, (line) => line.includes('Server listening'));
    cleanup.defer(() => api.kill());
    return { base: () => base, api };
  };
  const { base, api } = node();
  const worker = program(
    'activities/worker.ts',
    async () => env,
    (line) => line.includes('worker ready'),
  );
  cleanup.defer(() => worker.kill());
  await Promise.all([api.start(), worker.start()]);
  const { data } = await send(base(), { method: 'POST', path: '/api/v1/auth/login', as: {}, body: adminLogin });
  return {
    base,
    api,
    worker,
    anotherApi: async () => {
      const other = node();
      await other.api.start();
      return other;
    },
    databaseUrl,
    temporalAddress,
    temporalNamespace,
    admin: { authorization: `Bearer ${String(data['access_token'])}` },
  };
}

/** Kills a server of the stack and comes back when the process is gone; the stack starts another by itself. */
export async function killServer(stack: Stack, name: 'postgres' | 'temporal'): Promise<{ back: () => Promise<void> }> {
  const pidNow = () => stack.processes.find((one) => one.name === name)?.pid ?? null;
  const pid = pidNow();
  if (pid === null) throw new Error(`${name} does not run`);
  process.kill(pid, 'SIGKILL');
  await pollUntil(`the end of ${name}`, { timeoutMs: 10_000, everyMs: 5 }, async () => {
    if (pidNow() === pid) throw new Error('still there');
  });
  const back = () =>
    pollUntil(`another ${name}`, { timeoutMs: 30_000 }, async () => {
      if (pidNow() === null) throw new Error('not there yet');
    });
  return { back };
}

/** Lends a connection to the database. */
export async function withDatabase<T>(url: string, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString: url });
  // A killed server is told by the query that it failed.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** How many Updates a workflow has carried out, as far as Temporal knows. */
export async function updateCountOf(marketplace: Marketplace, transactionId: string): Promise<number> {
  const connection = await Connection.connect({ address: marketplace.temporalAddress });
  try {
    const client = new TemporalClient({ connection, namespace: marketplace.temporalNamespace });
    const { events } = await client.workflow.getHandle(transactionWorkflowId(transactionId)).fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionUpdateCompletedEventAttributes != null).length;
  } finally {
    await connection.close();
  }
}

async function makeDirectory(cleanup: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'marketplace-journey-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
