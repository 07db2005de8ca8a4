import type { DeliveryStatus } from '../domain/webhook/webhook.ts';

/** The names that the worker and the workflows of webhooks share. A name that a history holds is never changed. */

export const webhookRelayWorkflowType = 'webhook_relay';
export const webhookDeliveryWorkflowType = 'webhook_delivery';

/** One relay for each task queue. */
export function webhookRelayWorkflowId(taskQueue: string): string {
  return `webhook-relay/${taskQueue}`;
}

/** Each sending that the owner asks for is a workflow of its own: an earlier one may still sleep. */
export function webhookDeliveryWorkflowId(deliveryId: string, run: number): string {
  return run === 1 ? `webhook-delivery/${deliveryId}` : `webhook-delivery/${deliveryId}/${run}`;
}

/** Deliveries have a queue, and workers, of their own: slow receivers take no slot from trades and invocations. */
export function webhookTaskQueue(taskQueue: string): string {
  return `${taskQueue}-webhook`;
}

/** One run of a delivery. The settings are those of its start: a change of them changes no running workflow. */
export interface WebhookDeliveryStart {
  readonly delivery_id: string;
  readonly run: number;
  /** The wait after each failed attempt. */
  readonly schedule_ms: readonly number[];
  /** How long an attempt may take. */
  readonly timeout_ms: number;
  /** After so long without success the webhook is disabled. */
  readonly disable_after_ms: number;
}

/** Where a delivery stands after an attempt; `wait_ms` is 0 unless it is pending. */
export interface DeliveryProgress {
  readonly status: DeliveryStatus;
  readonly wait_ms: number;
}

/** What the workflows of webhooks ask of the world. */
export interface WebhookActivities {
  /** Makes the attempt that is due, and records it. Where none is due it says how long to wait. */
  attemptDelivery(start: WebhookDeliveryStart): Promise<DeliveryProgress>;
  /** Follows the events for some minutes: makes their deliveries and starts the workflows of these. */
  relayEvents(): Promise<void>;
}
