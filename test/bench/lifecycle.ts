import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Bench } from './bench-run.ts';
import { compare, type Result } from './compare.ts';
import { send } from './http.ts';
import { makeParties } from './parties.ts';

/** Lifecycles over REST beside a bare workflow with as many Updates that do nothing. */
export async function measureLifecycle({ base, admin, client, cpuMs }: Bench): Promise<Result[]> {
  const { buyer, seller, capabilityId } = await makeParties(base, admin);

  const act = async (id: unknown, operation: string, who: Record<string, string>) =>
    await send('POST', `${base}/api/v1/transactions/${String(id)}/${operation}`, who);

  const lifecycle = async () => {
    const created = await send('POST', `${base}/api/v1/transactions`, buyer, { capability_id: capabilityId });
    const { id } = created.data;
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

  const result = await compare({
    name: 'lifecycle over REST / bare workflow',
    wanted: '≥ 0.6',
    count: Number(process.env['BENCH_LIFECYCLES'] ?? 150),
    blocks: 7,
    ours: lifecycle,
    peer: bareLifecycle,
    cpuMs,
  });
  return [result];
}
