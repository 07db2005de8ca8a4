export const inFlight = 20;

/** One side of a comparison: does `count` units, `inFlight` at a time. */
export type Side = (index: number) => Promise<void>;

export interface Comparison {
  readonly name: string;
  /** What the ratio should be. */
  readonly wanted: string;
  readonly count: number;
  readonly rounds: number;
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

/** Interleaves rounds of both sides, after one to warm up, and answers the median of the rounds' ratios. */
export async function compare({ name, wanted, count, rounds, ours, peer, cpuMs }: Comparison): Promise<Result> {
  const used = { ours: new Map<string, number>(), peer: new Map<string, number>() };
  const measured = async (side: Side) => {
    const before = await cpuMs();
    const rate = await rateOf(side, count);
    const into = side === ours ? used.ours : used.peer;
    for (const [process, ms] of Object.entries(await cpuMs()))
      into.set(process, (into.get(process) ?? 0) + ms - (before[process] ?? 0));
    return rate;
  };
  const perUnit = (sums: Map<string, number>) =>
    Object.fromEntries([...sums].map(([process, ms]) => [process, rounded(ms / (count * (rounds + 1)))]));
  const rates: { ours: number; peer: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // Who goes first alternates, so that a drift of the machine favours nobody.
    const first = round % 2 === 0 ? ours : peer;
    const firstRate = await measured(first);
    const secondRate = await measured(first === ours ? peer : ours);
    if (round > 0)
      rates.push(first === ours ? { ours: firstRate, peer: secondRate } : { ours: secondRate, peer: firstRate });
  }
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

async function rateOf(side: Side, count: number): Promise<number> {
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
  return (count * 1_000) / (performance.now() - startedAt);
}

/** NaN of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** To hundredths. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
