import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type RunningChild, startChild } from './child.ts';
import { claimPort, freePorts } from './ports.ts';
import { checkTemporal } from './temporal-connection.ts';
import type { TemporalSource } from './temporal-resolver.ts';
import {
  allDynamicConfig,
  INTERNAL_PORT_COUNT,
  type TemporalServerPorts,
  writeServerConfig,
} from './temporal-server-config.ts';

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const internalPortsSchema = z.array(z.int()).length(INTERNAL_PORT_COUNT);

/** A server that is started here. */
export type OwnServer = Exclude<TemporalSource, { kind: 'given' }>;

/** What a Temporal server is started with. */
export type TemporalServerOptions = {
  readonly source: OwnServer;
  readonly dataDir: string;
  readonly namespace: string;
  readonly ports: TemporalServerPorts;
  /** Only the CLI brings its web interface along; the plain server has none. */
  readonly uiPort: number | null;
  readonly durable: boolean;
};

/** Everything a start of the server needs, so that it can be repeated after a death. */
export type TemporalServer = { readonly address: string; readonly start: () => Promise<RunningChild> };

/** The ports that are free for it now: `wished`, 0 for any, and its own. The CLI picks its own by itself. */
export async function claimServerPorts(
  { kind }: OwnServer,
  dataDir: string,
  wished: number,
): Promise<TemporalServerPorts> {
  const frontend = await claimPort(wished, 'Temporal', 'TEMPORAL_PORT');
  return { frontend, internal: kind === 'cli' ? [] : await internalPorts(dataDir) };
}

/** Prepares the files and the command of a server that keeps its workflows in one SQLite file of the data directory. */
export function prepareTemporalServer(options: TemporalServerOptions): TemporalServer {
  mkdirSync(join(options.dataDir, 'temporal'), { recursive: true });
  const address = `127.0.0.1:${options.ports.frontend}`;
  const args = options.source.kind === 'cli' ? cliArgs(options) : serverArgs(options);
  const start = () =>
    startChild({
      name: 'temporal',
      command: options.source.path,
      args,
      env: process.env,
      dataDir: options.dataDir,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      readyTimeoutMs: READY_TIMEOUT_MS,
      probe: () => checkTemporal(address, {}),
    });
  return { address, start };
}

function serverArgs({ dataDir, ports, durable }: TemporalServerOptions): string[] {
  return ['--config-file', writeServerConfig(dataDir, ports, durable), '--allow-no-auth', 'start'];
}

/**
 * The ports of the last start, if they are free. The server's own tables list its services by port, and after a change
 * it waits long for the members of before.
 */
async function internalPorts(dataDir: string): Promise<readonly number[]> {
  const file = join(dataDir, 'temporal', 'internal-ports.json');
  try {
    const kept = internalPortsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    await Promise.all(kept.map((port) => claimPort(port, 'Temporal', 'TEMPORAL_PORT')));
    return kept;
  } catch {
    const fresh = await freePorts(INTERNAL_PORT_COUNT);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(fresh));
    return fresh;
  }
}

function cliArgs({ dataDir, namespace, ports, uiPort, durable }: TemporalServerOptions): string[] {
  const start = ['server', 'start-dev', '--namespace', namespace];
  const place = ['--ip', '127.0.0.1', '--port', String(ports.frontend)];
  const store = ['--db-filename', join(dataDir, 'temporal', 'temporal-cli.sqlite'), '--log-level', 'warn'];
  const pragmas = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', `synchronous=${durable ? 2 : 0}`];
  const ui = uiPort === null ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)];
  const dynamic = Object.entries(allDynamicConfig).flatMap(([key, value]) => [
    '--dynamic-config-value',
    `${key}=${JSON.stringify(value)}`,
  ]);
  return [...start, ...place, ...store, ...pragmas, ...ui, ...dynamic];
}
