import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { retentionDays, searchAttributes } from '../../temporal.config.ts';
import { pollUntil } from './deadline.ts';
import { type TemporalCredentials, withTemporal } from './temporal-connection.ts';

const CALL_TIMEOUT_MS = 5_000;
const USABLE_TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;
const GRPC_NOT_FOUND = 5;
const GRPC_ALREADY_EXISTS = 6;

/**
 * Sees to it that the namespace exists with the retention and the search attributes of temporal.config.ts, and that
 * they can be used. Whatever is there already stays as it is.
 */
export async function ensureNamespace(
  address: string,
  namespace: string,
  credentials: TemporalCredentials = {},
): Promise<void> {
  const work = async (connection: Connection) => {
    if (!(await exists(connection, namespace))) await register(connection, namespace);
    await pollUntil(`namespace ${namespace}`, { timeoutMs: USABLE_TIMEOUT_MS }, () =>
      addSearchAttributes(connection, namespace),
    );
    // A query that names them fails until every cache knows them.
    const query = searchAttributes.map((name) => `${name} = 'none'`).join(' OR ');
    await pollUntil(`search attributes of ${namespace}`, { timeoutMs: USABLE_TIMEOUT_MS }, () =>
      limited(connection, () => connection.workflowService.countWorkflowExecutions({ namespace, query })),
    );
  };
  await withTemporal(address, credentials, work, 2 * USABLE_TIMEOUT_MS + 2 * CALL_TIMEOUT_MS);
}

async function exists(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await limited(connection, () => connection.workflowService.describeNamespace({ namespace }));
    return true;
  } catch (error) {
    if (grpcCode(error) === GRPC_NOT_FOUND) return false;
    throw error;
  }
}

async function register(connection: Connection, namespace: string): Promise<void> {
  const request = { namespace, workflowExecutionRetentionPeriod: msToTs(retentionDays * DAY_MS) };
  try {
    await limited(connection, () => connection.workflowService.registerNamespace(request));
  } catch (error) {
    if (grpcCode(error) !== GRPC_ALREADY_EXISTS) throw error;
  }
}

async function addSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await limited(connection, () => connection.operatorService.listSearchAttributes({ namespace }));
  const absent = searchAttributes.filter((name) => known.customAttributes[name] === undefined);
  if (absent.length === 0) return;
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  const asKeywords = Object.fromEntries(absent.map((name) => [name, keyword]));
  await limited(connection, () =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes: asKeywords }),
  );
}

function limited<T>(connection: Connection, call: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
}

function grpcCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
