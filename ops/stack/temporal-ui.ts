import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningChild, startChild } from './child.ts';
import { buildWithGo, findBuilt, goPrograms } from './go-build.ts';
import type { Log } from './progress.ts';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** What Temporal's web interface is started with. */
export type TemporalUiOptions = {
  readonly dataDir: string;
  readonly port: number;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly log: Log;
};

/** Everything a start of the web interface needs, so that it can be repeated after a death. */
export type TemporalUi = { readonly url: string; readonly start: () => Promise<RunningChild> };

/** Finds or builds the web interface and writes its configuration. */
export async function prepareTemporalUi(options: TemporalUiOptions): Promise<TemporalUi> {
  const { dataDir, port, log } = options;
  const path = (await findBuilt(goPrograms.ui, dataDir)) ?? (await buildWithGo(goPrograms.ui, dataDir, log));
  const configDir = writeConfig(options);
  const url = `http://127.0.0.1:${port}`;
  const start = () =>
    startChild({
      name: 'temporal-ui',
      command: path,
      args: ['--root', configDir, '--config', '.', '--env', 'marketplace', 'start'],
      env: process.env,
      dataDir,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      readyTimeoutMs: READY_TIMEOUT_MS,
      probe: async () => {
        const response = await fetch(`${url}/api/v1/settings`, { signal: AbortSignal.timeout(2_000) });
        if (!response.ok) throw new Error(`HTTP status ${response.status}`);
      },
    });
  return { url, start };
}

function writeConfig({ dataDir, port, temporalAddress, namespace }: TemporalUiOptions): string {
  const configDir = join(dataDir, 'run', 'temporal-ui');
  mkdirSync(configDir, { recursive: true });
  const config = {
    temporalGrpcAddress: temporalAddress,
    host: '127.0.0.1',
    port,
    enableUi: true,
    defaultNamespace: namespace,
    // Plain HTTP on this machine alone; the cookie against forged requests would not be sent otherwise.
    cors: { cookieInsecure: true, allowOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`] },
    disableNewsFetch: true,
  };
  writeFileSync(join(configDir, 'marketplace.yaml'), JSON.stringify(config, null, 2));
  return configDir;
}
