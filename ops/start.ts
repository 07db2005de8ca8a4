import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings, type Settings } from '../domain/settings.ts';
import { migrate } from '../domain/store/migrate.ts';
import { killLivingChildren } from './stack/child.ts';
import { messageOf, pollUntil } from './stack/deadline.ts';
import { type FirstAdmin, firstAdmin, secretKey } from './stack/first-admin.ts';
import { claimPort, parseStackPorts } from './stack/ports.ts';
import { withProgress } from './stack/progress.ts';
import { noteRunningStack } from './stack/running-stack.ts';
import { startService } from './stack/service.ts';
import { type Stack, startStack } from './stack/stack.ts';
import { stopRequest } from './stack/stop-signal.ts';
import type { Supervised } from './stack/supervise.ts';
import type { TemporalCredentials } from './stack/temporal-connection.ts';

const API_READY_TIMEOUT_MS = 60_000;
const EXIT_FORCED = 130;

/** What has been started so far, the last at the end; stopping goes backwards. */
type Started = { readonly name: string; stop(): Promise<void> }[];

const log = (line: string) => console.log(line);

process.exitCode = await run();
process.exit();

async function run(): Promise<number> {
  const started: Started = [];
  const stopping = stopRequest(() => {
    log('Forced: killing everything.');
    killLivingChildren();
    process.exit(EXIT_FORCED);
  });
  const startMs = performance.now();
  try {
    const { failed, summary } = await unlessStopped(stopping, startAll(started));
    log(`\nReady after ${((performance.now() - startMs) / 1000).toFixed(1)} s.\n\n${summary}`);
    const end = await Promise.race([stopping, failed]);
    log(end instanceof Error ? `\n${end.message}` : `\nStopping (${end}) …`);
    await stopAll(started);
    return end instanceof Error ? 1 : 0;
  } catch (error) {
    console.error(messageOf(error));
    await stopAll(started);
    return 1;
  }
}

/** A stop while parts are still starting: what runs so far is stopped by this process's end. */
async function unlessStopped<T>(stopping: Promise<string>, starting: Promise<T>): Promise<T> {
  const first = await Promise.race([starting.then((value) => ({ value })), stopping]);
  if (typeof first !== 'string') return first.value;
  log(`\nStopping while starting (${first}).`);
  return process.exit(EXIT_FORCED);
}

async function startAll(started: Started): Promise<{ failed: Promise<Error>; summary: string }> {
  const settings = parseSettings(process.env);
  const ports = parseStackPorts(process.env);
  const dataDir = resolve(settings.dataDir);

  const stack = await startStack({
    dataDir,
    ...(settings.databaseUrl === null ? {} : { databaseUrl: settings.databaseUrl }),
    ...(settings.temporalAddress === null ? {} : { temporalAddress: settings.temporalAddress }),
    temporalNamespace: settings.temporalNamespace,
    temporalCredentials: credentialsOf(settings),
    ports,
    durable: true,
    log,
  });
  started.push({ name: 'stack', stop: () => stack.stop() });
  const { databaseUrl, temporalAddress, temporalUiUrl } = stack;
  const { temporalNamespace } = settings;
  const forget = await noteRunningStack(dataDir, { databaseUrl, temporalAddress, temporalNamespace, temporalUiUrl });
  started.push({ name: 'the note of what runs', stop: forget });
  // Only now: where the whole service runs already, the data directory in use is the more telling error.
  const port = await claimPort(settings.port, 'the API', 'PORT', settings.host);

  const admin = firstAdmin(dataDir, settings.bootstrapAdminEmail, settings.bootstrapAdminPassword);
  const applied = await withProgress(log, 'Migrating the database', migrate(stack.databaseUrl));
  if (applied.length > 0) log(`Migrations applied: ${applied.join(', ')}`);

  const env = environment(settings, stack, dataDir, port, admin);
  const worker = await startService({ name: 'worker', entry: 'activities/worker.ts', env, dataDir }, log);
  started.push(worker);
  const api = await startService({ name: 'api', entry: 'api/main.ts', env, dataDir }, log);
  started.push(api);

  const failed = Promise.race([stack.failed, worker.failed, api.failed]);
  const apiUrl = `http://${reachableHost(settings.host)}:${port}`;
  await withProgress(log, 'Waiting for the API', untilReady(apiUrl, failed, dataDir));
  return { failed, summary: summaryOf(apiUrl, stack, admin, dataDir, [worker, api]) };
}

async function stopAll(started: Started): Promise<void> {
  for (const part of started.splice(0).toReversed()) {
    await withProgress(log, `Stopping ${part.name}`, part.stop()).catch((error: unknown) => log(messageOf(error)));
  }
}

function environment(
  settings: Settings,
  stack: Stack,
  dataDir: string,
  port: number,
  admin: FirstAdmin,
): NodeJS.ProcessEnv {
  const isEmbedded = settings.databaseUrl === null;
  return {
    ...process.env,
    // Callbacks of agents on this very machine are what one tries first; a deployment must allow them on purpose.
    ...(isEmbedded && !process.env['CALLBACK_ALLOW_PRIVATE'] ? { CALLBACK_ALLOW_PRIVATE: 'true' } : {}),
    PORT: String(port),
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    DATA_DIR: dataDir,
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    SECRET_KEY: secretKey(dataDir, settings.secretKey),
  };
}

async function untilReady(apiUrl: string, failed: Promise<Error>, dataDir: string): Promise<void> {
  const given = new AbortController();
  void failed.then((error) => given.abort(error));
  const limits = { timeoutMs: API_READY_TIMEOUT_MS, everyMs: 100, signal: given.signal };
  await pollUntil('The API did not become ready', limits, async () => {
    const response = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
    if (!response.ok)
      throw new Error(`GET /readyz answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  }).catch((error: unknown) => {
    throw new Error(`${messageOf(error)}\nLogs: ${join(dataDir, 'log')}`, { cause: error });
  });
}

function credentialsOf({ temporalApiKey, temporalTls }: Settings): TemporalCredentials {
  const { caFile, certFile, keyFile } = temporalTls;
  const pair =
    certFile === null || keyFile === null ? null : { crt: readFileSync(certFile), key: readFileSync(keyFile) };
  const tls = {
    ...(caFile === null ? {} : { serverRootCACertificate: readFileSync(caFile) }),
    ...(pair === null ? {} : { clientCertPair: pair }),
  };
  return {
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(temporalApiKey === null ? {} : { apiKey: temporalApiKey }),
  };
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function summaryOf(
  apiUrl: string,
  stack: Stack,
  admin: FirstAdmin,
  dataDir: string,
  services: readonly Supervised[],
): string {
  const processes = [...stack.processes, ...services].map(({ name, pid }) => `${name} ${pid}`);
  return [
    `  API           ${apiUrl}`,
    `  Documentation ${apiUrl}/docs`,
    `  OpenAPI       ${apiUrl}/api/v1/public/openapi.json`,
    `  Temporal UI   ${stack.temporalUiUrl ?? '(none)'}`,
    `  Administrator ${admin.email}`,
    `  Password      ${admin.password}`,
    `  Data and logs ${dataDir}`,
    `  Processes     ${processes.join(', ')}`,
    '',
    `  curl ${apiUrl}/api/v1/categories`,
    '',
    'Ctrl-C stops everything; the data stays.',
  ].join('\n');
}
