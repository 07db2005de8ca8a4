import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { migrate } from '../../domain/store/migrate.ts';
import { startStack } from '../../ops/stack/stack.ts';
import { cpuMsOf } from './cpu.ts';
import { compare, type Result } from './compare.ts';
import { send } from './http.ts';
import { makeParties } from './parties.ts';
import { answers, firstMessage, start, stopAll } from './processes.ts';

/**
 * `npm run bench`: each measure beside a bare peer on the same servers in one interleaved run. Table, then JSON.
 * Absolute rates are noise of the machine; the ratios are what counts.
 */
const namespace = 'bench';
const inFlight = 20;
const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'));
const ports = { postgres: 0, temporal: 0, temporalUi: null };
const stack = await startStack({ dataDir, temporalNamespace: namespace, ports, durable: true, log: () => undefined });
try {
  await migrate(stack.databaseUrl);
  const results = await measure();
  console.table(results.map(({ ratios: _ratios, cpu_ms: _cpu, ...row }) => row));
  console.log(
    JSON.stringify({ settings: { in_flight: inFlight, sqlite_synchronous: 2, fsync: true }, results }, null, 2),
  );
} finally {
  await stopAll();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<Result[]> {
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
    LOG_LEVEL: 'warn',
  };
  const base = `http://127.0.0.1:${port}`;
  const api = start('api/main.ts', env);
  const worker = start('activities/worker.ts', env);
  const plainServer = start('test/bench/plain-server.ts', env);
  const plain = await firstMessage(plainServer);
  const bareWorker = start('test/bench/bare-worker.ts', env);
  await firstMessage(bareWorker);
  await answers(`${base}/readyz`);
  const { buyer, seller, capabilityId } = await makeParties(base, admin);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const client = new Client({ connection, namespace });

  const act = async (id: unknown, operation: string, who: Record<string, string>) =>
    await send('POST', `${base}/api/v1/transactions/${String(id)}/${operation}`, who);

  const create = async () =>
    (await send('POST', `${base}/api/v1/transactions`, buyer, { capability_id: capabilityId })).data['id'];

  const lifecycle = async () => {
    const id = await create();
    await act(id, 'freeze', buyer);
    await act(id, 'accept', seller);
    await act(id, 'deliver', seller);
    const { data } = await act(id, 'confirm', buyer);
    if (data['status'] !== 'settled') throw new Error(`not settled: ${JSON.stringify(data)}`);
  };

  const bareLifecycle = async () => {
    const workflowId = `bare/${crypto.randomUUID()}`;
    const startWorkflowOperation = new WithStartWorkflowOperation('bare', {
      workflowId,
      taskQueue: 'bare',
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    await client.workflow.executeUpdateWithStart('created', { startWorkflowOperation });
    const handle = client.workflow.getHandle(workflowId);
    for (const name of ['freeze', 'accept', 'deliver', 'confirm']) await handle.executeUpdate(name);
  };

  const children = { api, worker, 'bare worker': bareWorker, 'plain server': plainServer };
  const processes = [
    ...Object.entries(children).map(([name, { pid = 0 }]) => ({ name, pid })),
    ...stack.processes,
    { name: 'bench client', pid: process.pid },
  ];
  // The children of the bench are counted under their own names.
  const cpuMs = async () => {
    const used = await cpuMsOf(processes);
    const own = process.cpuUsage();
    return { ...used, 'bench client': (own.user + own.system) / 1_000 };
  };
  const id = String(await create());
  const results = [
    await compare({
      name: 'lifecycle over REST / bare workflow',
      count: Number(process.env['BENCH_LIFECYCLES'] ?? 150),
      inFlight,
      rounds: 5,
      ours: lifecycle,
      peer: bareLifecycle,
      cpuMs,
    }),
    await compare({
      name: 'GET transaction / plain Fastify + pg',
      count: 4_000,
      inFlight,
      rounds: 5,
      ours: async () => void (await send('GET', `${base}/api/v1/transactions/${id}`, buyer)),
      peer: async () => void (await send('GET', `${plain}/transactions/${id}`)),
      cpuMs,
    }),
  ];
  await connection.close();
  return results;
}
