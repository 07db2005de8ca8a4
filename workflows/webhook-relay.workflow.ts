import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from './webhook-messages.ts';

/** After so many activities the history begins anew. */
const activitiesPerRun = 50;

const { relayEvents } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '15 minutes',
  // So long nothing is relayed where the worker died that was at it.
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** Keeps somebody at the relay of events to webhooks, for ever. */
export async function webhook_relay(): Promise<void> {
  for (let count = 0; count < activitiesPerRun; count += 1) await relayEvents();
  await continueAsNew<typeof webhook_relay>();
}
