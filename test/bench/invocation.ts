import { randomUUID } from 'node:crypto';
import type { Bench } from './bench-run.ts';
import { median, rounded } from './compare.ts';
import { send } from './http.ts';
import { compareLatency, msOf, type LatencyResult } from './latency.ts';
import { makeAgents, makeCallable } from './parties.ts';

const sellers = 10;
const atOnce = 500;
const rounds = 3;

/** An invocation end to end, less the seller's own time, beside a bare workflow of one activity. */
export async function measureInvocation({ base, sellerPort, admin, client }: Bench): Promise<LatencyResult[]> {
  const [agent = {}] = await makeAgents(base, admin, 1);
  const capabilityId = await makeCallable(base, `http://127.0.0.1:${sellerPort}`, '/fast');
  const ours = () => invoke(base, capabilityId, agent);
  const peer = () =>
    client.workflow.execute('bareActivity', { workflowId: `bare-activity/${randomUUID()}`, taskQueue: 'bare' });
  const names = { name: 'invocation / bare workflow of one activity, median', wanted: '≤ 1.5' };
  const compared = await compareLatency(names, 300, ours, peer);
  const own = await sellersOwnMs(`http://127.0.0.1:${sellerPort}`, capabilityId);
  const oursMs = rounded(compared.ours_ms - own);
  return [{ ...compared, ours_ms: oursMs, seller_ms: rounded(own), ratio: rounded(oursMs / compared.peer_ms) }];
}

/** The median of what the seller says of itself. */
async function sellersOwnMs(seller: string, capabilityId: string): Promise<number> {
  const response = await fetch(`${seller}/control/call?capability_id=${capabilityId}`);
  const { items } = (await response.json()) as { items: readonly { took_ms: number | null }[] };
  return median(items.map(({ took_ms }) => took_ms ?? 0));
}

/**
 * 500 invocations at once of ten sellers on hosts of their own. What nine of them see while the tenth hangs, beside what
 * they see while it answers: medians of the nine, in turns.
 */
export async function measureHanging({ base, sellerPort, admin }: Bench): Promise<LatencyResult[]> {
  const agents = await makeAgents(base, admin, 25);
  const hosts = Array.from({ length: sellers }, (_, index) => `http://127.0.0.${index + 1}:${sellerPort}`);
  const good = await Promise.all(hosts.map((host) => makeCallable(base, host, '/fast')));
  const hanging = await makeCallable(base, hosts.at(-1) ?? '', '/hang', 20);
  const burst = (tenth: string) => medianOfNine(base, [...good.slice(0, sellers - 1), tenth], agents);
  await burst(good.at(-1) ?? '');
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.without.push(await burst(good.at(-1) ?? ''));
    times.with.push(await burst(hanging));
  }
  const ratios = times.with.map((ms, index) => rounded(ms / (times.without[index] ?? Number.NaN)));
  return [
    {
      name: `${atOnce} invocations at once, nine sellers while the tenth hangs / while it answers`,
      wanted: '≤ 1.2',
      ours_ms: rounded(median(times.with)),
      peer_ms: rounded(median(times.without)),
      ratio: median(ratios),
      rounds: ratios,
    },
  ];
}

/** Does not wait for those of the last seller, which may hang, before it measures; then it does. */
async function medianOfNine(
  base: string,
  capabilities: readonly string[],
  agents: readonly Record<string, string>[],
): Promise<number> {
  const times: number[] = [];
  const all = Array.from({ length: atOnce }, async (_, index) => {
    const seller = index % sellers;
    const work = () => invoke(base, capabilities[seller] ?? '', agents[index % agents.length] ?? {});
    if (seller === sellers - 1) return await work().catch(() => undefined);
    return times.push(await msOf(work));
  });
  await Promise.all(all);
  return median(times);
}

async function invoke(base: string, capabilityId: string, agent: Record<string, string>): Promise<void> {
  const headers = { ...agent, 'idempotency-key': randomUUID() };
  await send('POST', `${base}/api/v1/capabilities/${capabilityId}/invoke`, headers, { input: { a: 1 } });
}
