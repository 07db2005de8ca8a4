import { messageOf } from './deadline.ts';

/** Where a Temporal server comes from: one that runs, a Temporal CLI, or the plain server binary. */
export type TemporalSource =
  | { readonly kind: 'given'; readonly address: string }
  | { readonly kind: 'cli' | 'server'; readonly path: string; readonly origin: string };

/** One way to come by a Temporal server. `find` answers null for "nothing there" and throws to say why it failed. */
export type TemporalProbe = {
  readonly name: string;
  readonly find: () => Promise<TemporalSource | null>;
  /** What a person can do to make this way work. */
  readonly remedy: string;
};

/** Takes the given address or else the first way that works, in order. Throws an Error that tells of each that did not. */
export async function resolveTemporal(
  givenAddress: string | null,
  probes: readonly TemporalProbe[],
): Promise<TemporalSource> {
  if (givenAddress !== null) return { kind: 'given', address: givenAddress };
  const failures: string[] = [];
  for (const { name, find } of probes) {
    try {
      const source = await find();
      if (source !== null) return source;
      failures.push(`  - ${name}: not found`);
    } catch (error) {
      failures.push(`  - ${name}: ${messageOf(error).trim().replaceAll('\n', '\n    ')}`);
    }
  }
  throw new Error(noTemporalText(failures, probes));
}

function noTemporalText(failures: readonly string[], probes: readonly TemporalProbe[]): string {
  const remedies = ['set TEMPORAL_ADDRESS=host:port of a running server', ...probes.map(({ remedy }) => remedy)];
  return [
    'There is no Temporal server to run. Tried, in this order:',
    '  - TEMPORAL_ADDRESS: not set',
    ...failures,
    'Any one of these mends it:',
    ...remedies.filter((text) => text !== '').map((text) => `  - ${text}`),
  ].join('\n');
}
