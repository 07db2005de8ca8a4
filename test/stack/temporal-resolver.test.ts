import { describe, expect, it } from 'vitest';
import { resolveTemporal, type TemporalProbe, type TemporalSource } from '../../ops/stack/temporal-resolver.ts';

type Outcome = TemporalSource | null | Error;

function probes(outcomes: Record<string, Outcome>, asked: string[] = []): TemporalProbe[] {
  return Object.entries(outcomes).map(([name, outcome]) => ({
    name,
    remedy: `mend ${name}`,
    find: async () => {
      asked.push(name);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  }));
}

const cli: TemporalSource = { kind: 'cli', path: '/usr/bin/temporal', origin: 'PATH' };
const server: TemporalSource = { kind: 'server', path: '/cache/temporal-server', origin: 'built with Go' };

describe('resolveTemporal', () => {
  it('takes a given address without looking for anything else', async () => {
    const asked: string[] = [];
    const source = await resolveTemporal('temporal.example:7233', probes({ path: cli }, asked));
    expect(source).toEqual({ kind: 'given', address: 'temporal.example:7233' });
    expect(asked).toEqual([]);
  });

  it('takes the first way that works and asks no further', async () => {
    const asked: string[] = [];
    const ways = probes({ path: null, cache: cli, build: server }, asked);
    expect(await resolveTemporal(null, ways)).toEqual(cli);
    expect(asked).toEqual(['path', 'cache']);
  });

  it('goes on after a way that fails', async () => {
    const ways = probes({ download: new Error('cannot be reached'), build: server });
    expect(await resolveTemporal(null, ways)).toEqual(server);
  });

  it('says what was tried, why each failed and what would mend it', async () => {
    const ways = probes({ path: null, download: new Error('cannot be reached\n(ENOTFOUND)') });
    await expect(resolveTemporal(null, ways)).rejects.toThrow(
      [
        'There is no Temporal server to run. Tried, in this order:',
        '  - TEMPORAL_ADDRESS: not set',
        '  - path: not found',
        '  - download: cannot be reached',
        '    (ENOTFOUND)',
        'Any one of these mends it:',
        '  - set TEMPORAL_ADDRESS=host:port of a running server',
        '  - mend path',
        '  - mend download',
      ].join('\n'),
    );
  });
});
