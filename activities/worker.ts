import { Client } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker';
import { parseSettings } from '../domain/settings.ts';
import { openOrm } from '../domain/store/orm.ts';
import { sealWith } from '../domain/store/seal.ts';
import { loadSecretKey } from '../domain/store/secret-key.ts';
import { taskQueues, temporalConnectionOptions } from '../temporal.config.ts';
import { openSellerClient } from './callback/seller-client.ts';
import { keepWebhookRelay } from './webhook/relay-start.ts';
import { openWebhookClient } from './webhook/webhook-client.ts';
import { webhookSettings } from './webhook/webhook-setting.ts';
import {
  createInvocationWorker,
  createTransactionWorker,
  createWebhookWorker,
  workflowsPath,
} from './worker-factory.ts';

/** Entry: settings → orm → temporal → run until told to stop. */
const settings = parseSettings(process.env);
if (settings.databaseUrl === null) throw new Error('DATABASE_URL is not set. `npm start` sets it.');
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: ['SIGTERM', 'SIGINT'] });
const orm = await openOrm(settings.databaseUrl, settings.databasePoolSize);
const connection = await NativeConnection.connect(await temporalConnectionOptions(settings));
const seller = openSellerClient({
  allowPrivate: settings.callbackAllowPrivate,
  dnsServers: settings.callbackDnsServers,
  maxPerHost: settings.callbackMaxPerHost,
});
const { client, ...webhookParts } = webhookSettings(settings);
const webhooks = openWebhookClient(client);
const stopping = new AbortController();
try {
  const seal = sealWith(await loadSecretKey(settings));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const at = { connection, namespace: settings.temporalNamespace, taskQueue: taskQueues.transaction };
  const parts = { ...at, orm, workflowBundle };
  const transactions = await createTransactionWorker(parts);
  const concurrency = settings.callbackConcurrency;
  const invocations = await createInvocationWorker({ ...parts, seal, seller, concurrency });
  const temporal = new Client({ connection, namespace: settings.temporalNamespace });
  const webhookTools = { seal, webhooks, temporal, databaseUrl: settings.databaseUrl };
  const deliveries = await createWebhookWorker({ ...parts, ...webhookParts, ...webhookTools });
  console.log(JSON.stringify({ level: 'info', msg: 'worker ready', task_queue: taskQueues.transaction }));
  void keepWebhookRelay(temporal, at.taskQueue, stopping.signal);
  // Where one of them fails, the process ends, and whoever watches it starts another.
  await Promise.all([transactions.run(), invocations.run(), deliveries.run()]);
} finally {
  stopping.abort();
  await seller.close();
  await webhooks.close();
  await connection.close();
  await orm.close(true);
}
