import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamicConfig } from '../../temporal.config.ts';

const LOOPBACK = '127.0.0.1';

/** Ports of the server's services; every service has one for requests and one to find the others. */
export type TemporalServerPorts = { readonly frontend: number; readonly internal: readonly number[] };

/** How many internal ports a server needs: four to find each other, three for requests beside the frontend's. */
export const INTERNAL_PORT_COUNT = 7;

/** Every dynamic value the server is started with: those the service relies on and those a single machine wants. */
export const allDynamicConfig: Readonly<Record<string, boolean | string | number>> = {
  ...dynamicConfig,
  // A namespace made a moment ago, and the search attributes in it, shall be usable at once.
  'system.namespaceCacheRefreshInterval': '1s',
  // Four partitions, the default, are for queues that one matching service cannot carry. Few pollers on many partitions
  // wait for each other's tasks.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/** Writes the files that the plain server reads and answers the path of the main one. JSON is YAML. */
export function writeServerConfig(dataDir: string, ports: TemporalServerPorts, durable: boolean): string {
  const dynamicFile = join(dataDir, 'run', 'temporal-dynamic.json');
  const dynamic = Object.entries(allDynamicConfig).map(([key, value]) => [key, [{ value, constraints: {} }]]);
  writeFileSync(dynamicFile, JSON.stringify(Object.fromEntries(dynamic), null, 2));

  const file = join(dataDir, 'run', 'temporal-server.json');
  writeFileSync(file, JSON.stringify(serverConfig(dataDir, ports, durable, dynamicFile), null, 2));
  return file;
}

function serverConfig(dataDir: string, ports: TemporalServerPorts, durable: boolean, dynamicFile: string) {
  const folder = join(dataDir, 'temporal');
  // 2 writes through to the disk at each commit: a workflow survives a power failure, as its rows do.
  const store = { sql: sqliteStore(join(folder, 'temporal.sqlite'), durable ? '2' : '0') };
  // A file of its own, so that lists never wait for the history. What a power failure takes from it, the next status
  // change writes again; nothing decides by it.
  const visibility = { sql: sqliteStore(join(folder, 'visibility.sqlite'), durable ? '1' : '0') };
  const [m1, m2, m3, m4, history, matching, worker] = ports.internal;
  const service = (grpcPort: number | undefined, membershipPort: number | undefined) => ({
    rpc: { grpcPort, membershipPort, bindOnIP: LOOPBACK },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'sqlite-default',
      visibilityStore: 'sqlite-visibility',
      // Fixed for the life of the file. A single machine with one SQLite connection gains nothing from more.
      numHistoryShards: 1,
      datastores: { 'sqlite-default': store, 'sqlite-visibility': visibility },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services: {
      frontend: service(ports.frontend, m1),
      history: service(history, m2),
      matching: service(matching, m3),
      worker: service(worker, m4),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${LOOPBACK}:${ports.frontend}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicFile, pollInterval: '60s' },
  };
}

function sqliteStore(file: string, synchronous: '0' | '1' | '2') {
  return {
    pluginName: 'sqlite',
    databaseName: file,
    connectAddr: 'localhost',
    connectProtocol: 'tcp',
    connectAttributes: {
      cache: 'private',
      setup: 'true',
      journal_mode: 'wal',
      synchronous,
    },
    maxConns: 1,
    maxIdleConns: 1,
  };
}
