import { fileURLToPath } from 'node:url';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SandboxWorker } from '../../activities/sandbox/sandbox-worker.ts';
import { startService, type Service } from '../harness.ts';

const taskQueue = 'sandbox';
let service: Service;
let connection: NativeConnection;
let worker: SandboxWorker;
let running: Promise<void>;
beforeAll(async () => {
  service = await startService();
  const address = service.settings.temporalAddress ?? '';
  connection = await NativeConnection.connect({ address });
  worker = await SandboxWorker.create({
    connection,
    namespace: service.settings.temporalNamespace,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('endless.workflow.ts', import.meta.url)),
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await service.close();
});

it.each(['endless', 'endlessTurns'])(
  'ends the task of a workflow that never gives the thread back, and others go on: %s',
  async (type) => {
    const { workflow } = service.temporal;
    const handle = await workflow.start(type, { taskQueue, workflowId: `${taskQueue}/${type}` });
    const failure = async () => {
      const { events } = await handle.fetchHistory();
      return events?.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes
        ?.failure;
    };
    await expect
      .poll(failure, { timeout: 30_000 })
      .toMatchObject({ message: expect.stringMatching(/timed out after 5000ms/) });
    await handle.terminate();
    const others = Array.from({ length: 5 }, (_, index) =>
      workflow.execute('swift', { taskQueue, workflowId: `${taskQueue}/after-${type}/${index}` }),
    );
    expect(await Promise.all(others)).toEqual(Array.from({ length: 5 }, () => 'done'));
  },
  60_000,
);
