import { pushBody } from '../a2a/push-body.ts';
import type { PushData } from '../a2a/push-config.ts';
import type { EventRecord } from '../event/event.ts';
import type { TransactionState } from '../transaction/transaction.ts';
import { testEventType, type WebhookProtocol, type WebhookSubject } from './webhook.ts';

/**
 * The body of a delivery: rendered once, the same bytes at every attempt; null where the protocol has nothing to tell of
 * the event, and no delivery is made. `state` is the event's transaction as it is when
 * the delivery is made, which may be a step ahead of the event; null for our own protocol, which does not look at it.
 */
export function renderBody(webhook: WebhookSubject, event: EventRecord, state: TransactionState | null): string | null {
  switch (webhook.protocol) {
    case 'events':
      return JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
    case 'a2a-0.1':
    case 'a2a-0.3':
    case 'a2a-1.0':
      return renderTask(webhook.protocol, webhook.protocol_data, event, state);
  }
}

function renderTask(
  protocol: Exclude<WebhookProtocol, 'events'>,
  data: WebhookSubject['protocol_data'],
  event: EventRecord,
  state: TransactionState | null,
): string {
  if (state === null) throw new Error(`${event.type} is of no task`);
  const generation = { 'a2a-0.1': '0.1', 'a2a-0.3': '0.3', 'a2a-1.0': '1.0' } as const;
  return pushBody(generation[protocol], event, state, data as PushData | null);
}

/** The body of a test, which tells of nothing that happened. `at`: RFC 3339. */
export function renderTest(webhookId: string, at: string): string {
  return JSON.stringify({ type: testEventType, timestamp: at, data: { webhook_id: webhookId } });
}
