import { NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker';
import { parseSettings } from '../domain/settings.ts';
import { openOrm } from '../domain/store/orm.ts';
import { taskQueues, temporalConnectionOptions } from '../temporal.config.ts';
import { createTransactionWorker } from './worker-factory.ts';

/** Entry: settings → orm → temporal → run until told to stop. */
const settings = parseSettings(process.env);
if (settings.databaseUrl === null) throw new Error('DATABASE_URL is not set. `npm start` sets it.');
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: ['SIGTERM', 'SIGINT'] });
const orm = await openOrm(settings.databaseUrl, settings.databasePoolSize);
const connection = await NativeConnection.connect(await temporalConnectionOptions(settings));
try {
  const namespace = settings.temporalNamespace;
  const worker = await createTransactionWorker({ connection, namespace, taskQueue: taskQueues.transaction, orm });
  console.log(JSON.stringify({ level: 'info', msg: 'worker ready', task_queue: taskQueues.transaction }));
  await worker.run();
} finally {
  await connection.close();
  await orm.close(true);
}
