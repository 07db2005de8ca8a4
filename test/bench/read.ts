import type { Bench } from './bench-run.ts';
import { compare, type Result } from './compare.ts';
import { send } from './http.ts';
import { makeParties } from './parties.ts';

/** GET of a transaction beside a plain handler with the same query. */
export async function measureRead({ base, plain, admin, cpuMs }: Bench): Promise<Result[]> {
  const { buyer, capabilityId } = await makeParties(base, admin);
  const created = await send('POST', `${base}/api/v1/transactions`, buyer, { capability_id: capabilityId });
  const id = String(created.data['id']);
  const result = await compare({
    name: 'GET transaction / plain Fastify + pg',
    wanted: '≥ 0.6',
    count: 4_000,
    blocks: 3,
    ours: async () => void (await send('GET', `${base}/api/v1/transactions/${id}`, buyer)),
    peer: async () => void (await send('GET', `${plain}/transactions/${id}`)),
    cpuMs,
  });
  return [result];
}
