import { readFile } from 'node:fs/promises';
import type { Settings } from './domain/settings.ts';

/**
 * What this service needs of a Temporal server. One place: the API, the worker, the stack that starts a server, the
 * production compose file's set-up job and the tests all read it.
 */
export const taskQueues = {
  /** Workflows and their ledger activities. The queues of invocations and of webhooks are named after it. */
  transaction: 'transaction',
} as const;

/** Custom search attributes that a namespace must have before the first workflow starts; all are of type Keyword. */
export const searchAttributes = ['TransactionStatus'] as const;

/** Retention of closed workflows, in days. Replays of stuck or disputed transactions need their histories. */
export const retentionDays = 30;

/** Dynamic configuration of the server that the service relies on. */
export const dynamicConfig = {
  /** The tests let days pass on a real server. Nothing turns it on unless a workflow is started with it. */
  'frontend.WorkflowTimeSkippingEnabled': true,
} as const;

interface TlsOptions {
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

interface ConnectionOptions {
  address: string;
  apiKey?: string;
  tls?: TlsOptions;
}

/** How to reach Temporal, for the client and the worker alike. Throws when TEMPORAL_ADDRESS is not set. */
export async function temporalConnectionOptions(settings: Settings): Promise<ConnectionOptions> {
  const { temporalAddress, temporalApiKey, temporalTls } = settings;
  if (temporalAddress === null)
    throw new Error('TEMPORAL_ADDRESS is not set. `npm start` sets it, or set it to host:port.');
  const tls = await readTls(temporalTls);
  return {
    address: temporalAddress,
    ...(temporalApiKey === null ? {} : { apiKey: temporalApiKey }),
    ...(tls === null ? {} : { tls }),
  };
}

async function readTls({ caFile, certFile, keyFile }: Settings['temporalTls']): Promise<TlsOptions | null> {
  if (caFile === null && certFile === null && keyFile === null) return null;
  if ((certFile === null) !== (keyFile === null)) {
    throw new Error('Set both TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE, or neither.');
  }
  const pair =
    certFile === null || keyFile === null
      ? {}
      : { clientCertPair: { crt: await readFile(certFile), key: await readFile(keyFile) } };
  return { ...(caFile === null ? {} : { serverRootCACertificate: await readFile(caFile) }), ...pair };
}
