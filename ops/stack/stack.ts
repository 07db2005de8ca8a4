import { claimDataDir } from './data-dir.ts';
import { messageOf, pollUntil } from './deadline.ts';
import { ensureNamespace } from './namespace.ts';
import { startOnFreePorts } from './port-retry.ts';
import { claimPort, type StackPorts } from './ports.ts';
import { checkDatabase, preparePostgres } from './postgres.ts';
import { type Log, withProgress } from './progress.ts';
import { type Supervised, supervise } from './supervise.ts';
import { checkTemporal, type TemporalCredentials } from './temporal-connection.ts';
import { temporalProbes } from './temporal-probe.ts';
import { resolveTemporal } from './temporal-resolver.ts';
import { claimServerPorts, type OwnServer, prepareTemporalServer } from './temporal-server.ts';
import { prepareTemporalUi } from './temporal-ui.ts';

const REACH_TIMEOUT_MS = 15_000;

/** What to start, and where. */
export type StackOptions = {
  /** Holds the data, the logs and the notes of what runs. One living starter at a time. */
  readonly dataDir: string;
  /** Given, no PostgreSQL is started. */
  readonly databaseUrl?: string;
  /** Given, no Temporal server and no web interface are started. */
  readonly temporalAddress?: string;
  readonly temporalNamespace: string;
  /** For a given Temporal that wants TLS or a key. */
  readonly temporalCredentials?: TemporalCredentials;
  /** 0 picks a free port, null leaves the web interface out. */
  readonly ports: StackPorts;
  /** Whether a commit is on the disk before it counts. Tests do without. */
  readonly durable: boolean;
  readonly log: Log;
};

/** PostgreSQL and Temporal, ready for use. A part that dies is started again. */
export type Stack = {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  /** What runs right now. */
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  /** Resolves, never rejects, when a part died too often to be started again; its name is in the message. */
  readonly failed: Promise<Error>;
  /** Ends every part, the last started first, and gives the data directory free. */
  stop(): Promise<void>;
};

type Part<T> = { readonly result: T; readonly process: Supervised | null };

/** Starts whatever is not given, and comes back when all of it is ready. On a failure nothing is left running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log } = options;
  const dataDir = await claimDataDir(options.dataDir, log);
  const running: Supervised[] = [];
  const stop = async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
    dataDir.release();
  };
  const keep = <T>({ result, process }: Part<T>): T => {
    if (process !== null) running.push(process);
    return result;
  };
  try {
    const inDir = { ...options, dataDir: dataDir.path };
    // Both are awaited to their end, so that a failure of one does not leave the other behind.
    const [database, temporal] = await Promise.allSettled([
      withProgress(log, 'Starting PostgreSQL', startDatabase(inDir).then(keep)),
      startTemporal(inDir, keep),
    ]);
    if (database.status === 'rejected') throw database.reason;
    if (temporal.status === 'rejected') throw temporal.reason;
    return {
      databaseUrl: database.value,
      ...temporal.value,
      get processes() {
        return running.flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }]));
      },
      failed: Promise.race(running.map((part) => part.failed)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(options: StackOptions): Promise<Part<string>> {
  const { databaseUrl, dataDir, ports, durable, log } = options;
  if (databaseUrl !== undefined) {
    const what = 'the PostgreSQL of DATABASE_URL';
    await pollUntil(what, { timeoutMs: REACH_TIMEOUT_MS, everyMs: 500 }, () => checkDatabase(databaseUrl));
    return { result: databaseUrl, process: null };
  }
  const port = await claimPort(ports.postgres, 'PostgreSQL', 'POSTGRES_PORT');
  const postgres = await preparePostgres(dataDir, port, durable);
  return { result: postgres.databaseUrl, process: await supervise('postgres', postgres.start, log) };
}

async function startTemporal(
  options: StackOptions,
  keep: <T>(part: Part<T>) => T,
): Promise<{ temporalAddress: string; temporalUiUrl: string | null }> {
  const { dataDir, temporalNamespace: namespace, ports, log } = options;
  const source = await resolveTemporal(options.temporalAddress ?? null, temporalProbes(dataDir, log));
  if (source.kind === 'given') {
    await useGivenTemporal(source.address, options);
    return { temporalAddress: source.address, temporalUiUrl: null };
  }
  const uiPort =
    ports.temporalUi === null
      ? null
      : await claimPort(ports.temporalUi, "Temporal's web interface", 'TEMPORAL_UI_PORT');
  const address = keep(await withProgress(log, 'Starting Temporal', startServer(source, uiPort, options)));
  await withProgress(log, `Preparing namespace ${namespace}`, ensureNamespace(address, namespace));
  if (uiPort === null) return { temporalAddress: address, temporalUiUrl: null };
  if (source.kind === 'cli') return { temporalAddress: address, temporalUiUrl: `http://127.0.0.1:${uiPort}` };
  return { temporalAddress: address, temporalUiUrl: await startUi(address, uiPort, options, keep) };
}

async function startServer(
  source: OwnServer,
  uiPort: number | null,
  { dataDir, temporalNamespace: namespace, ports: wished, durable, log }: StackOptions,
): Promise<Part<string>> {
  const claim = () => claimServerPorts(source, dataDir, wished.temporal);
  return await startOnFreePorts('Temporal', claim, log, async (ports) => {
    const server = prepareTemporalServer({ source, dataDir, namespace, ports, uiPort, durable });
    return { result: server.address, process: await supervise('temporal', server.start, log) };
  });
}

async function useGivenTemporal(address: string, options: StackOptions): Promise<void> {
  const { temporalNamespace: namespace, temporalCredentials: credentials = {} } = options;
  const what = `the Temporal of TEMPORAL_ADDRESS (${address})`;
  await pollUntil(what, { timeoutMs: REACH_TIMEOUT_MS, everyMs: 500 }, () => checkTemporal(address, credentials));
  await ensureNamespace(address, namespace, credentials);
}

/** The web interface is a convenience: where it cannot be had, the service runs without. */
async function startUi(
  temporalAddress: string,
  port: number,
  { dataDir, temporalNamespace: namespace, log }: StackOptions,
  keep: <T>(part: Part<T>) => T,
): Promise<string | null> {
  try {
    const ui = await prepareTemporalUi({ dataDir, port, temporalAddress, namespace, log });
    return keep({ result: ui.url, process: await supervise('temporal-ui', ui.start, log) });
  } catch (error) {
    log(`Temporal's web interface is not available: ${messageOf(error)}`);
    return null;
  }
}
