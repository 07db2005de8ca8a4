import { median, rounded } from './compare.ts';

export interface LatencyResult {
  readonly name: string;
  readonly wanted: string;
  /** Medians, in milliseconds. */
  readonly ours_ms: number;
  readonly peer_ms: number;
  /** What was taken off ours: the median of the seller's own time. */
  readonly seller_ms?: number;
  readonly ratio: number;
  /** Ours less the peer's. */
  readonly added_ms?: number;
  readonly rounds?: readonly number[];
}

/** The milliseconds that something took. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Both sides in turns, one call at a time; the first tenth warms up. */
export async function compareLatency(
  names: { readonly name: string; readonly wanted: string },
  count: number,
  ours: () => Promise<unknown>,
  peer: () => Promise<unknown>,
): Promise<LatencyResult> {
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let index = 0; index < count; index += 1) {
    const first = index % 2 === 0 ? ours : peer;
    const firstMs = await msOf(first);
    const secondMs = await msOf(first === ours ? peer : ours);
    if (index < count / 10) continue;
    times.ours.push(first === ours ? firstMs : secondMs);
    times.peer.push(first === ours ? secondMs : firstMs);
  }
  const [oursMs, peerMs] = [median(times.ours), median(times.peer)];
  return { ...names, ours_ms: rounded(oursMs), peer_ms: rounded(peerMs), ratio: rounded(oursMs / peerMs) };
}
