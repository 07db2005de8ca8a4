import { Connection, type ConnectionOptions } from '@temporalio/client';
import { withDeadline } from './deadline.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const HEALTH_SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

/** How to connect beyond the address: for servers that want TLS or a key. */
export type TemporalCredentials = Pick<ConnectionOptions, 'tls' | 'apiKey'>;

/** Connects, lets `work` use the connection, and closes it whatever happens. */
export async function withTemporal<T>(
  address: string,
  credentials: TemporalCredentials & Pick<ConnectionOptions, 'interceptors'>,
  work: (connection: Connection) => Promise<T>,
  timeoutMs: number = CONNECT_TIMEOUT_MS,
): Promise<T> {
  const connection = Connection.lazy({ ...credentials, address });
  try {
    return await withDeadline(`Temporal at ${address}`, timeoutMs, work(connection));
  } finally {
    await connection.close();
  }
}

/** Succeeds if the server's frontend says that it serves. */
export async function checkTemporal(address: string, credentials: TemporalCredentials): Promise<void> {
  // Whoever asks asks again. The client's own retries would go on over a connection that is closed by then, and end the process.
  await withTemporal(address, { ...credentials, interceptors: [] }, async (connection) => {
    await connection.withDeadline(Date.now() + CONNECT_TIMEOUT_MS, () =>
      connection.healthService.check({ service: HEALTH_SERVICE }),
    );
  });
}
