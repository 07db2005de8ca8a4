import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EndedEarlyError, startChild } from '../../ops/stack/child.ts';
import { startOnFreePorts } from '../../ops/stack/port-retry.ts';
import { freePorts } from '../../ops/stack/ports.ts';
import { claimServerPorts, type OwnServer } from '../../ops/stack/temporal-server.ts';
import type { TemporalServerPorts } from '../../ops/stack/temporal-server-config.ts';

const source: OwnServer = { kind: 'server', path: process.execPath, origin: 'a test' };

let dataDir: string;
let told: string[];
let tried: TemporalServerPorts[];
let holders: Server[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'marketplace-port-retry-'));
  for (const folder of ['log', 'run']) mkdirSync(join(dataDir, folder));
  told = [];
  tried = [];
  holders = [];
});
afterEach(() => {
  for (const holder of holders) holder.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Tries on ports claimed for a Temporal server; each try first meets what `meanwhile` does, then runs `script`. */
async function startTemporal(
  wished: number,
  script: string,
  meanwhile?: (ports: TemporalServerPorts) => Promise<void>,
) {
  const claim = () => claimServerPorts(source, dataDir, wished);
  return await startOnFreePorts(
    'Temporal',
    claim,
    (line) => told.push(line),
    async (ports) => {
      tried.push(ports);
      await meanwhile?.(ports);
      return await startChild({
        name: 'temporal',
        command: source.path,
        args: ['--eval', script],
        env: process.env,
        dataDir,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 5_000,
        // Short where nothing else can come; a process that fails has to get so far first.
        readyTimeoutMs: script === hangs ? 300 : 20_000,
        probe: () => Promise.reject(new Error('nobody answers')),
      });
    },
  );
}

async function hold(port: number | undefined): Promise<void> {
  const holder = createServer().listen(port, '127.0.0.1');
  holders.push(holder);
  await once(holder, 'listening');
}

const fails = "console.log('no such table'); process.exit(3)";
const hangs = 'setInterval(() => {}, 1000)';
const again = 'Temporal did not start; trying again with other ports.';

describe('a server that ends early', () => {
  it('is tried with other ports where they were picked, and ends with its own words', async () => {
    const error = await startTemporal(0, fails).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EndedEarlyError);
    expect((error as Error).message).toMatch(/ended before it was ready: exit code 3\nno such table\n\(log: /);
    expect(new Set(tried.map(({ frontend }) => frontend)).size).toBe(3);
    expect(told).toEqual([again, again]);
  });

  it('is not tried again where its ports would be the same', async () => {
    const [port = 0] = await freePorts(1);
    await expect(startTemporal(port, fails)).rejects.toThrow('no such table');
    expect(tried).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it('is tried with other internal ports where one of them was taken meanwhile, and the port that it must have', async () => {
    const [port = 0] = await freePorts(1);
    const takeOne = ({ internal }: TemporalServerPorts) => (tried.length === 1 ? hold(internal[0]) : Promise.resolve());
    await expect(startTemporal(port, fails, takeOne)).rejects.toThrow('no such table');
    expect(tried.map(({ frontend }) => frontend)).toEqual([port, port]);
    expect(tried[1]?.internal).not.toContain(tried[0]?.internal[0]);
    expect(told).toEqual([again]);
  });

  it('is one clear error where the port that it must have was taken meanwhile', async () => {
    const [port = 0] = await freePorts(1);
    await expect(startTemporal(port, fails, ({ frontend }) => hold(frontend))).rejects.toThrow(
      `Port ${port} for Temporal is taken`,
    );
    expect(tried).toHaveLength(1);
    expect(told).toEqual([]);
  });
});

it('a server that runs and does not answer is not tried with other ports', async () => {
  const error = await startTemporal(0, hangs).catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(EndedEarlyError);
  expect((error as Error).message).toContain('did not become ready');
  expect(tried).toHaveLength(1);
  expect(told).toEqual([]);
});
