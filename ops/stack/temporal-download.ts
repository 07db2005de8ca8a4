import { TestWorkflowEnvironment } from '@temporalio/testing';
import { messageOf } from './deadline.ts';

/**
 * Entry of the process in which the SDK downloads the Temporal CLI to the directory of its first argument. The server
 * that it starts with it is of no use here: the binary stays, to be started with options of our own.
 */
try {
  const downloadDir = process.argv[2];
  if (downloadDir === undefined) throw new Error('the directory is missing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, ttl: '365d' } },
  });
  await environment.teardown();
  process.exit(0);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
