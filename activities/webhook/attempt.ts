import type { MikroORM } from '@mikro-orm/postgresql';
import type { Seal } from '../../domain/store/seal.ts';
import {
  beginWebhookAttempt,
  endWebhookAttempt,
  forgetWebhookAttempt,
  type DueDelivery,
} from '../../domain/store/webhook-delivery.store.ts';
import { webhookSecretPurpose } from '../../domain/store/webhook-secret.store.ts';
import { webhookCredentialPurpose } from '../../domain/store/webhook.store.ts';
import { waitBeforeRetry } from '../../domain/webhook/retry.ts';
import type { DeliveryProgress, WebhookDeliveryStart } from '../../workflows/webhook-messages.ts';
import type { PushSigner } from './push-headers.ts';
import { headersOf, type OpenedDelivery } from './webhook-headers.ts';
import type { WebhookAnswer, WebhookClient } from './webhook-client.ts';

export interface AttemptParts {
  readonly orm: MikroORM;
  readonly seal: Seal;
  readonly webhooks: WebhookClient;
  /** Signs what goes to the receivers of agent protocols, who share no secret with the platform. */
  readonly pushSigner: () => Promise<PushSigner>;
}

/** A host that is busy is asked again soon, and not by everybody at the same moment. */
const busyPauseMs = { least: 1_000, spread: 4_000 } as const;

/** Makes the attempt that is due and records it. Where an earlier one was recorded already, nothing is sent. */
export async function attemptDelivery(parts: AttemptParts, start: WebhookDeliveryStart): Promise<DeliveryProgress> {
  const em = parts.orm.em.fork();
  const begun = await beginWebhookAttempt(em, start.delivery_id, start.run, new Date());
  if (begun.kind === 'over') return { status: begun.status, wait_ms: 0 };
  if (begun.kind === 'waiting') return waitingUntil(begun.until);
  const { delivery } = begun;
  const opened = open(parts.seal, delivery);
  const headers = await headersOf(opened, new Date(), parts.pushSigner);
  const { url, body, user_id: userId } = delivery;
  const answer = await parts.webhooks.post({ userId, url, headers, body, timeoutMs: start.timeout_ms });
  if (answer !== 'busy') return await conclude(parts, start, delivery, answer);
  const nextAt = new Date(Date.now() + busyPauseMs.least + Math.random() * busyPauseMs.spread);
  await forgetWebhookAttempt(em, delivery, nextAt);
  return waitingUntil(nextAt);
}

async function conclude(
  { orm }: AttemptParts,
  start: WebhookDeliveryStart,
  delivery: DueDelivery,
  { retryAfterMs, ...result }: Exclude<WebhookAnswer, 'busy'>,
): Promise<DeliveryProgress> {
  const at = new Date();
  const failureCount = delivery.failure_count + 1;
  const jitter = Math.random();
  // A test is tried once: its owner is watching.
  const scheduleMs = delivery.event_seq === null ? [] : start.schedule_ms;
  const waitMs = waitBeforeRetry({ scheduleMs, failureCount, retryAfterMs, jitter });
  const nextAt = waitMs === null ? null : new Date(at.getTime() + waitMs);
  const disableBefore = new Date(at.getTime() - start.disable_after_ms);
  const status = await endWebhookAttempt(orm.em.fork(), delivery, { result, at, nextAt, disableBefore });
  return status === 'pending' && nextAt !== null ? waitingUntil(nextAt) : { status, wait_ms: 0 };
}

function open(seal: Seal, { sealed, sealed_credential, ...delivery }: DueDelivery): OpenedDelivery {
  const { webhook_id } = delivery;
  return {
    ...delivery,
    secrets: sealed.map((one) => seal.decrypt(one, webhookSecretPurpose(webhook_id))),
    credential:
      sealed_credential === null ? null : seal.decrypt(sealed_credential, webhookCredentialPurpose(webhook_id)),
  };
}

function waitingUntil(at: Date): DeliveryProgress {
  return { status: 'pending', wait_ms: Math.max(1, at.getTime() - Date.now()) };
}
