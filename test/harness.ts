import { randomBytes, randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { Client as DatabaseClient } from 'pg';
import type { FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { inject } from 'vitest';
import { z } from 'zod';
import { openSellerClient } from '../activities/callback/seller-client.ts';
import { openWebhookClient } from '../activities/webhook/webhook-client.ts';
import { webhookSettings } from '../activities/webhook/webhook-setting.ts';
import { createInvocationWorker, createTransactionWorker, createWebhookWorker } from '../activities/worker-factory.ts';
import { buildApi } from '../api/app.ts';
import { makeApiKey } from '../api/auth/api-key.ts';
import { openEndedSessions } from '../api/auth/ended-session.ts';
import { openSecrets, type Secrets } from '../api/auth/secrets.ts';
import { openEventFeed } from '../api/stream/event-feed.ts';
import { OpenStreams } from '../api/stream/open-stream.ts';
import { temporalWorkflows } from '../api/transaction/temporal-workflows.ts';
import { ledgerCheck as ledgerCheckSchema, wallet as walletSchema } from '../api/wallet/wallet.schemas.ts';
import type { CallerType, Role } from '../domain/caller.ts';
import { parseSettings, type Settings } from '../domain/settings.ts';
import { creditUser } from '../domain/store/ledger.store.ts';
import { openOrm, type Em } from '../domain/store/orm.ts';
import { grantPlatform } from '../domain/store/platform-grant.store.ts';
import { Platform } from '../domain/store/platform.entity.ts';
import type { Seal } from '../domain/store/seal.ts';
import { createUser } from '../domain/store/user.store.ts';
import type { TestStack } from './global-setup.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD';

/** An answer with its envelope taken apart; `code` is -1 where the body is no envelope. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly message: string;
  // Tests look into answers of every shape, and an unexpected one fails the expectation.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly timestamp: number;
  readonly text: string;
}

/** A string body is sent as it is, anything else as JSON. */
export type Call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Somebody who calls with credentials of their own. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly callerType: CallerType;
  readonly call: Call;
  /** The credentials, for requests that a test makes by itself. */
  headers(): Promise<Record<string, string>>;
}

/** An agent of a platform of its own. */
export interface AgentPerson extends Person {
  /** The same agent's calls to another node. */
  callAt(url: string): Call;
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly platformId: string;
}

/** The whole service in this process, over a database and a task queue of its own. */
export interface Service {
  readonly url: string;
  /** Every route that the API answers, as "METHOD /url/:param". */
  readonly routes: readonly string[];
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly databaseUrl: string;
  readonly taskQueue: string;
  readonly temporal: Client;
  /** A fresh entity manager at every look. */
  readonly em: Em;
  readonly admin: Person;
  readonly call: Call;
  human(name?: string): Promise<Person>;
  agent(name?: string): Promise<AgentPerson>;
  credit(person: Pick<Person, 'userId'>, amountUt: string): Promise<void>;
  wallet(person: Person): Promise<z.output<typeof walletSchema>>;
  /** Fails unless all money adds up, no user owes, and balances agree with postings. */
  ledgerCheck(): Promise<void>;
  /** Another API process's worth of the service, over the same database and task queue; closed with the service. */
  anotherNode(): Promise<string>;
  stopWorker(): Promise<void>;
  /** Stops the worker if one runs, and starts another. */
  restartWorker(): Promise<void>;
  close(): Promise<void>;
}

let runtimeInstalled = false;

/** What a test may have besides. */
interface Extras {
  /** The worker of webhooks, which most tests do without. */
  readonly webhooks?: boolean;
}

/** Starts a service; `env` is added to the settings. Close it in `afterAll`. */
export async function startService(env: Record<string, string> = {}, extras: Extras = {}): Promise<Service> {
  const stack = inject('stack');
  const databaseUrl = await cloneTemplate(stack);
  const settings = testSettings(stack, databaseUrl, env);
  const orm = await openOrm(databaseUrl, settings.databasePoolSize);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  const taskQueue = `test-${randomUUID()}`;
  const secrets = await openSecrets(orm.em.fork(), settings);
  const worker = await startWorker(stack, orm, taskQueue, settings, secrets, extras);
  const eventFeed = openEventFeed(databaseUrl);
  const workflows = temporalWorkflows({ client: temporal, taskQueue });
  const em = () => orm.em.fork();
  const nodes: FastifyInstance[] = [];
  const startNode = async () => {
    // Each node hears of ended sessions by itself.
    const endedSessions = openEndedSessions(em, databaseUrl);
    const streams = new OpenStreams(settings, eventFeed.closed);
    const own = { endedSessions, streams, now: () => new Date() };
    const node = await buildApi({ orm, workflows, eventFeed, secrets, settings, ...own });
    node.addHook('onClose', async () => await endedSessions.close());
    nodes.push(node);
    return await node.listen({ host: '127.0.0.1', port: 0 });
  };
  const url = await startNode();

  const human = (name: string, roles: Role[]) => makeHuman(em(), secrets, url, name, roles);
  const admin = await human('admin', ['user', 'admin']);
  return {
    url,
    routes: nodes[0]?.routeTable.all() ?? [],
    settings,
    secrets,
    databaseUrl,
    taskQueue,
    temporal,
    get em() {
      return em();
    },
    admin,
    call: callOf(url, async () => ({})),
    human: (name = 'human') => human(name, ['user']),
    agent: (name = 'agent') => makeAgent(em(), url, name),
    credit: async ({ userId }, amountUt) => {
      const credit = { transferId: v7(), userId, amountUt, reason: 'test', createdBy: admin.userId, at: new Date() };
      await em().transactional((inner) => creditUser(inner, credit));
    },
    wallet: async (person) => walletSchema.parse(dataOf(await person.call('GET', '/api/v1/wallet'))),
    ledgerCheck: async () => {
      const reply = await admin.call('GET', '/api/v1/admin/ledger/check');
      const { sound, problems } = ledgerCheckSchema.parse(dataOf(reply));
      if (!sound) throw new Error(`the ledger is not sound:\n${problems.join('\n')}`);
    },
    anotherNode: startNode,
    stopWorker: worker.stop,
    restartWorker: worker.restart,
    close: async () => {
      await eventFeed.close();
      const closing = Promise.all(nodes.map((node) => node.close()));
      // A connection on which nothing was asked yet counts as busy, and would be waited for.
      for (const node of nodes) node.server.closeAllConnections();
      await closing;
      await worker.stop();
      await worker.disconnect();
      await connection.close();
      await orm.close(true);
      await onAdminDatabase(stack, `drop database if exists ${databaseOf(databaseUrl)} with (force)`);
    },
  };
}

function testSettings(stack: TestStack, databaseUrl: string, env: Record<string, string>): Settings {
  return parseSettings({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: stack.temporalNamespace,
    PUBLIC_URL: 'http://marketplace.test',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    // Tests call more often than people do, and play several addresses by X-Forwarded-For.
    RATE_LIMIT_PER_MIN: '100000',
    TRUST_PROXY: 'true',
    CALLBACK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'error',
    ...env,
  });
}

async function cloneTemplate(stack: TestStack): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onAdminDatabase(stack, `create database ${name} template ${stack.templateDatabase}`);
  const url = new URL(stack.adminDatabaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onAdminDatabase(stack: TestStack, statement: string): Promise<void> {
  const admin = new DatabaseClient({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

function databaseOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}

async function startWorker(
  stack: TestStack,
  orm: MikroORM,
  taskQueue: string,
  settings: Settings,
  seal: Seal,
  extras: Extras,
) {
  if (!runtimeInstalled) Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  runtimeInstalled = true;
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const parts = {
    connection,
    namespace: stack.temporalNamespace,
    taskQueue,
    orm,
    workflowBundle: { codePath: stack.workflowBundlePath },
  };
  const seller = openSellerClient({
    allowPrivate: settings.callbackAllowPrivate,
    dnsServers: settings.callbackDnsServers,
    maxPerHost: settings.callbackMaxPerHost,
  });
  const { client, ...webhookParts } = webhookSettings(settings);
  const webhooks = openWebhookClient(client);
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  const databaseUrl = settings.databaseUrl ?? '';
  let running: { workers: Worker[]; ended: Promise<unknown> } | null = null;
  const stop = async () => {
    if (running === null) return;
    const { workers, ended } = running;
    running = null;
    for (const worker of workers) worker.shutdown();
    await ended;
  };
  const restart = async () => {
    await stop();
    const callbackParts = { ...parts, seal, seller, concurrency: settings.callbackConcurrency };
    const workers = [await createTransactionWorker(parts), await createInvocationWorker(callbackParts)];
    const forWebhooks = { ...parts, ...webhookParts, seal, webhooks, temporal, databaseUrl };
    if (extras.webhooks === true) workers.push(await createWebhookWorker(forWebhooks));
    running = { workers, ended: Promise.all(workers.map((worker) => worker.run())) };
  };
  await restart();
  const disconnect = async () => {
    await seller.close();
    await webhooks.close();
    await connection.close();
  };
  return { stop, restart, disconnect };
}

async function makeUser(em: Em, name: string, roles: Role[]): Promise<{ userId: string; email: string }> {
  const userId = v7();
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}-${userId}@example.com`;
  // No password opens this hash, and no time goes into making one.
  const user = { id: userId, email, passwordHash: 'none', displayName: name, roles, grantUt: '0', at: new Date() };
  await em.transactional((inner) => createUser(inner, user));
  return { userId, email };
}

async function makeHuman(em: Em, secrets: Secrets, url: string, name: string, roles: Role[]): Promise<Person> {
  const user = await makeUser(em, name, roles);
  const headers = async () => {
    const token = await secrets.accessTokens.sign({ id: user.userId, roles }, new Date());
    return { authorization: `Bearer ${token}` };
  };
  return { ...user, callerType: 'human', headers, call: callOf(url, headers) };
}

async function makeAgent(em: Em, url: string, name: string): Promise<AgentPerson> {
  const user = await makeUser(em, name, ['user']);
  const at = new Date();
  const platformId = v7();
  const apiKey = await em.transactional(async (inner) => {
    inner.create(Platform, { id: platformId, name: `${name} ${platformId}`, created_at: at });
    await inner.flush();
    await grantPlatform(inner, platformId, user.userId, at);
    return makeApiKey(inner, { platformId, name: 'test', expiresAt: null, at });
  });
  const headers = async () => ({ 'x-api-key': apiKey.apiKey, 'x-platform-user-id': user.userId });
  const callAt = (node: string): Call => withKey(callOf(node, headers));
  const { apiKey: key, row } = apiKey;
  return {
    ...user,
    callerType: 'agent',
    headers,
    call: callAt(url),
    callAt,
    apiKey: key,
    apiKeyId: row.id,
    platformId,
  };
}

/** An agent's writes need a key; one that the test does not care about is made up. */
function withKey(call: Call): Call {
  return (method, path, body, given = {}) => {
    const isWrite = method === 'POST' || method === 'PUT' || method === 'DELETE';
    const hasKey = Object.keys(given).some((header) => header.toLowerCase() === 'idempotency-key');
    return call(method, path, body, isWrite && !hasKey ? { ...given, 'idempotency-key': randomUUID() } : given);
  };
}

function callOf(url: string, credentials: () => Promise<Record<string, string>>): Call {
  return async (method, path, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { ...type, ...(await credentials()), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    });
    return replyOf(response, await response.text());
  };
}

const envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown(), timestamp: z.int() });

function replyOf({ status, headers }: Response, text: string): Reply {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = envelope.safeParse(isJson && text !== '' ? JSON.parse(text) : null);
  return { status, headers, text, ...(body.data ?? { code: -1, message: '', data: null, timestamp: 0 }) };
}

function dataOf(reply: Reply): unknown {
  if (reply.code !== 0) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.data;
}
