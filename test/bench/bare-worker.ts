import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** Process of its own, as the service's worker is. */
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: ['SIGTERM'] });
const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const worker = await Worker.create({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? '',
  taskQueue: 'bare',
  workflowsPath: fileURLToPath(new URL('bare.workflow.ts', import.meta.url)),
  activities: { nothing: async () => 'done' },
  maxCachedWorkflows: 2_000,
});
process.send?.('ready');
await worker.run();
await connection.close();
