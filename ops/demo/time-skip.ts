import { transactionWorkflowId } from '../../workflows/messages.ts';
import { messageOf, pollUntil } from '../stack/deadline.ts';
import { withTemporal } from '../stack/temporal-connection.ts';

const giveUpAfterMs = 120_000;
const callTimeoutMs = 5_000;
/** Deadline exceeded and unavailable: a server that is away. */
const GRPC_AWAY = new Set([4, 14]);

/**
 * Has Temporal skip the waiting of one transaction's workflow: its timer fires at once, and nobody else's does. Waits
 * for a server that is down; rejects where the server does not allow it, as in production.
 */
export async function letTimePass(address: string, namespace: string, transactionId: string): Promise<void> {
  const refused = new AbortController();
  await pollUntil(
    `Temporal at ${address}`,
    { timeoutMs: giveUpAfterMs, everyMs: 1_000, signal: refused.signal },
    async () => {
      try {
        await skip(address, namespace, transactionId);
      } catch (error) {
        // Anything but a server that is away would only fail again.
        if (isAnswer(error)) refused.abort(new Error(messageOf(error)));
        throw error;
      }
    },
  );
}

async function skip(address: string, namespace: string, transactionId: string): Promise<void> {
  await withTemporal(
    address,
    {},
    (connection) =>
      connection.workflowService.updateWorkflowExecutionOptions({
        namespace,
        workflowExecution: { workflowId: transactionWorkflowId(transactionId) },
        workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
        updateMask: { paths: ['time_skipping_config'] },
      }),
    callTimeoutMs,
  );
}

function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && !GRPC_AWAY.has(error.code);
}
