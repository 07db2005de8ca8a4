import type { Bench } from './bench-run.ts';
import { rounded } from './compare.ts';
import { send } from './http.ts';
import { compareLatency, type LatencyResult } from './latency.ts';
import { makeAgents, makeParties } from './parties.ts';

const calls = 3_000;

/** What authentication adds to a GET, for a person and for an agent, beside the same route open to everybody. */
export async function measureAuthentication({ base, authServer, admin }: Bench): Promise<LatencyResult[]> {
  const { buyer: human } = await makeParties(base, admin);
  const [agent = {}] = await makeAgents(base, admin, 1);
  const results: LatencyResult[] = [];
  for (const [who, headers] of Object.entries({ human, agent })) {
    const ours = () => send('GET', `${authServer}/caller`, headers);
    const peer = () => send('GET', `${authServer}/open`);
    const names = { name: `GET by ${who} / the same route open; added_ms wanted ≤ 0.3`, wanted: '≤ 0.3 ms added' };
    const compared = await compareLatency(names, calls, ours, peer);
    results.push({ ...compared, added_ms: rounded(compared.ours_ms - compared.peer_ms) });
  }
  return results;
}
