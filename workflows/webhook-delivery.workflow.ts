import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { DeliveryStatus } from '../domain/webhook/webhook.ts';
import type { WebhookActivities, WebhookDeliveryStart } from './webhook-messages.ts';

/** What an attempt may take beyond the receiver's time, to record what came of it. */
const recordingMs = 20_000;

/** One run of a delivery: attempts with growing waits between them, until it arrives or its webhook ends. */
export async function webhook_delivery(start: WebhookDeliveryStart): Promise<DeliveryStatus> {
  const { attemptDelivery } = proxyActivities<WebhookActivities>({
    startToCloseTimeout: start.timeout_ms + recordingMs,
    heartbeatTimeout: '10 seconds',
    // A receiver that fails is no failure of the activity: what is tried again here is the database.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  });
  for (;;) {
    const { status, wait_ms } = await attemptDelivery(start);
    if (status !== 'pending') return status;
    await sleep(wait_ms, { summary: 'next attempt' });
    // A host that is busy for hours is asked often.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhook_delivery>(start);
  }
}
