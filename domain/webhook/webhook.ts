import { transactionStatuses } from '../transaction/transaction.ts';

/** Webhooks: addresses of a user's own to which the platform posts what happens. */

/** How a webhook's requests are written: our own, or those of an agent protocol, for one transaction. */
export const webhookProtocols = ['events', 'a2a-0.1', 'a2a-0.3', 'a2a-1.0'] as const;
export type WebhookProtocol = (typeof webhookProtocols)[number];

export const webhookStatuses = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** `gone`: the receiver answered 410. `failing`: nothing arrived for long. `owner`: its owner wished so. */
export const disabledReasons = ['gone', 'failing', 'owner'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** What a delivery comes to. `failed` and `cancelled` end a run; its owner may send it again. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const attemptOutcomes = ['delivered', 'failed', 'gone'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Why an attempt failed. Shown to the owner; names nothing of the platform's network. */
export const attemptReasons = [
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'timed_out',
  'address_refused',
  'unresolvable',
  'connection_failed',
  'tls_failed',
  'unsendable',
] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** Of a test, which belongs to no event. */
export const testEventType = 'webhook.test';
/** Tells an owner that a webhook of theirs was disabled. */
export const disabledEventType = 'webhook.disabled';

/** What an owner may subscribe to; without a choice they get everything, also what is added later. */
export const subscribableTypes: readonly string[] = [
  'transaction.created',
  // Nothing comes back to `pending`.
  ...transactionStatuses.filter((status) => status !== 'pending').map((status) => `transaction.${status}`),
  'transaction.changes_requested',
  'transaction.deferred',
  disabledEventType,
];

/** Enough for anybody's own programs, and a bound to what one event can set off. */
export const webhooksPerUser = 20;

/** A webhook, as far as the rendering of its requests may look at it. */
export interface WebhookSubject {
  readonly id: string;
  readonly user_id: string;
  readonly protocol: WebhookProtocol;
  readonly transaction_id: string | null;
  readonly config_id: string | null;
  readonly protocol_data: Readonly<Record<string, unknown>> | null;
}
