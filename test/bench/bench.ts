import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { migrate } from '../../domain/store/migrate.ts';
import { startStack } from '../../ops/stack/stack.ts';
import { measureAuthentication } from './authentication.ts';
import type { Bench } from './bench-run.ts';
import { inFlight, type Result } from './compare.ts';
import { cpuMsOf } from './cpu.ts';
import { measureHanging, measureInvocation } from './invocation.ts';
import type { LatencyResult } from './latency.ts';
import { measureLifecycle } from './lifecycle.ts';
import { measureRead } from './read.ts';
import { measureStream, type StreamResult } from './stream.ts';
import { answers, firstMessage, start, stopAll } from './processes.ts';

/**
 * `npm run bench`: each measure beside a bare peer on the same servers in one interleaved run. Table, then JSON.
 * Absolute rates are noise of the machine; the ratios are what counts.
 */
const namespace = 'bench';
const measures = {
  lifecycle: measureLifecycle,
  read: measureRead,
  authentication: measureAuthentication,
  invocation: measureInvocation,
  hanging: measureHanging,
  stream: measureStream,
};
const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'));
const ports = { postgres: 0, temporal: 0, temporalUi: null };
const stack = await startStack({ dataDir, temporalNamespace: namespace, ports, durable: true, log: () => undefined });
try {
  await migrate(stack.databaseUrl);
  const results = await measure();
  console.table(results.map(({ name, ratio, wanted: goal }) => ({ name, ratio, goal })));
  console.log(
    JSON.stringify({ settings: { in_flight: inFlight, sqlite_synchronous: 2, fsync: true }, results }, null, 2),
  );
} finally {
  await stopAll();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<(Result | LatencyResult | StreamResult)[]> {
  const admin = { email: 'admin@bench.example', password: 'bench-admin-password' };
  const port = '3999';
  const env = {
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    DATA_DIR: dataDir,
    PORT: port,
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_PER_MIN: '100000000',
    CALLBACK_ALLOW_PRIVATE: 'true',
    // Everybody registers from an address of their own.
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'warn',
  };
  const base = `http://127.0.0.1:${port}`;
  const api = start('api/main.ts', env);
  const worker = start('activities/worker.ts', env);
  const plainServer = start('test/bench/plain-server.ts', env);
  const plain = await firstMessage(plainServer);
  const bareWorker = start('test/bench/bare-worker.ts', env);
  await firstMessage(bareWorker);
  const authServer = await firstMessage(start('test/bench/auth-server.ts', env));
  // Every loopback address is a host of its own.
  const seller = start('test/seller/seller.ts', { HOST: '0.0.0.0', PORT: '0' });
  const sellerPort = new URL(await firstMessage(seller)).port;
  await answers(`${base}/readyz`);
  const children = { api, worker, 'bare worker': bareWorker, 'plain server': plainServer };
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const bench: Bench = {
    base,
    plain,
    authServer,
    sellerPort,
    admin,
    env,
    apiPid: api.pid ?? 0,
    client: new Client({ connection, namespace }),
    cpuMs: cpuMeter([...Object.entries(children).map(([name, { pid = 0 }]) => ({ name, pid })), ...stack.processes]),
  };
  const results = [];
  for (const [name, run] of Object.entries(measures)) if (wanted(name)) results.push(...(await run(bench)));
  await connection.close();
  return results;
}

/** BENCH_ONLY=invocation,hanging runs these alone. */
function wanted(name: string): boolean {
  const only = process.env['BENCH_ONLY'];
  return only === undefined || only.split(',').includes(name);
}

/** CPU milliseconds used so far, by process; the bench's own without its children, which are counted under their names. */
function cpuMeter(processes: readonly { name: string; pid: number }[]) {
  return async () => {
    const { user, system } = process.cpuUsage();
    return { ...(await cpuMsOf(processes)), 'bench client': (user + system) / 1_000 };
  };
}
