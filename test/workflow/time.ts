import { transactionWorkflowId } from '../../workflows/messages.ts';
import type { Service } from '../harness.ts';

/**
 * Lets the server skip the waiting of one transaction's workflow, days included: its timers fire one after the other, as
 * long as nothing else is under way. Answers how the workflow ended.
 */
export async function skipTime(service: Service, id: string): Promise<Record<string, unknown>> {
  const { client, namespace } = { client: service.temporal, namespace: service.settings.temporalNamespace };
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution: { workflowId: transactionWorkflowId(id) },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  });
  return (await client.workflow.result(transactionWorkflowId(id))) as Record<string, unknown>;
}
