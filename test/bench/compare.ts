export const inFlight = 20;

/** One side of a comparison: does `count` units, `inFlight` at a time. */
export type Side = (index: number) => Promise<void>;

export interface Comparison {
  readonly name: string;
  /** What the ratio should be. */
  readonly wanted: string;
  readonly count: number;
  readonly blocks: number;
  readonly ours: Side;
  readonly peer: Side;
  /** CPU milliseconds used so far, by process. */
  readonly cpuMs: () => Promise<Record<string, number>>;
}

export interface Result {
  readonly name: string;
  readonly wanted: string;
  readonly ours_per_sec: number;
  readonly peer_per_sec: number;
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** CPU milliseconds of one unit, by process: where the rest goes. */
  readonly cpu_ms: { readonly ours: Record<string, number>; readonly peer: Record<string, number> };
}

/**
 * Interleaves both sides, after a round of each to warm up, in blocks of ours, peer, peer, ours: who comes first works beside
 * less of what the other has left behind, and a machine that slows down favours nobody. Answers the median of the blocks.
 */
export async function compare({ name, wanted, count, blocks, ours, peer, cpuMs }: Comparison): Promise<Result> {
  for (const side of [ours, peer]) await secondsOf(side, count);
  const used = { ours: new Map<string, number>(), peer: new Map<string, number>() };
  const measured = async (side: 'ours' | 'peer') => {
    const before = await cpuMs();
    const seconds = await secondsOf({ ours, peer }[side], count);
    for (const [process, ms] of Object.entries(await cpuMs()))
      used[side].set(process, (used[side].get(process) ?? 0) + ms - (before[process] ?? 0));
    return seconds;
  };
  const rates: { ours: number; peer: number }[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const first = await measured('ours');
    const peerSeconds = (await measured('peer')) + (await measured('peer'));
    const oursSeconds = first + (await measured('ours'));
    rates.push({ ours: (2 * count) / oursSeconds, peer: (2 * count) / peerSeconds });
  }
  const perUnit = (sums: Map<string, number>) =>
    Object.fromEntries([...sums].map(([process, ms]) => [process, rounded(ms / (2 * count * blocks))]));
  const ratios = rates.map((rate) => rate.ours / rate.peer);
  return {
    name,
    wanted,
    ours_per_sec: rounded(median(rates.map((rate) => rate.ours))),
    peer_per_sec: rounded(median(rates.map((rate) => rate.peer))),
    ratio: rounded(median(ratios)),
    ratios: ratios.map(rounded),
    cpu_ms: { ours: perUnit(used.ours), peer: perUnit(used.peer) },
  };
}

async function secondsOf(side: Side, count: number): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await side(index);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (performance.now() - startedAt) / 1_000;
}

/** NaN of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** To hundredths. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
