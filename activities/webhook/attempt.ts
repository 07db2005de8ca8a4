import type { MikroORM } from '@mikro-orm/postgresql';
import type { Seal } from '../../domain/store/seal.ts';
import {
  beginWebhookAttempt,
  endWebhookAttempt,
  findDeliveryBody,
  forgetWebhookAttempt,
  type DueDelivery,
} from '../../domain/store/webhook-delivery.store.ts';
import { webhookSecretPurpose } from '../../domain/store/webhook-secret.store.ts';
import { webhookCredentialPurpose } from '../../domain/store/webhook.store.ts';
import { pauseWhileBusy, waitBeforeRetry } from '../../domain/webhook/retry.ts';
import type { DeliveryProgress, WebhookDeliveryStart } from '../../workflows/webhook-messages.ts';
import { whileAway } from '../while-away.ts';
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

/** So long what came of an attempt waits for a database that is away; the activity has 20 s for all of its records. */
const recordWithinMs = 12_000;

/** Makes the attempt that is due and records it. Where an earlier one was recorded already, nothing is sent. */
export async function attemptDelivery(parts: AttemptParts, start: WebhookDeliveryStart): Promise<DeliveryProgress> {
  const em = parts.orm.em.fork();
  const begun = await beginWebhookAttempt(em, start.delivery_id, start.run, new Date());
  if (begun.kind === 'over') return { status: begun.status, wait_ms: 0 };
  if (begun.kind === 'waiting') return waitingUntil(begun.until);
  const { delivery } = begun;
  const { url, user_id: userId } = delivery;
  const message = async () => {
    const opened = open(parts.seal, delivery, await findDeliveryBody(em, delivery.id));
    return { headers: await headersOf(opened, new Date(), parts.pushSigner), body: opened.body };
  };
  const answer = await parts.webhooks.post({ userId, url, message, timeoutMs: start.timeout_ms });
  return answer === 'busy' ? await comeLater(parts, delivery) : await conclude(parts, start, delivery, answer);
}

/** Nothing was sent, so nothing was attempted. */
async function comeLater({ orm }: AttemptParts, delivery: DueDelivery): Promise<DeliveryProgress> {
  const nowMs = Date.now();
  const pauseMs = pauseWhileBusy(nowMs - delivery.created_at.getTime(), Math.random());
  const nextAt = new Date(nowMs + pauseMs);
  await whileAway(() => forgetWebhookAttempt(orm.em.fork(), delivery, nextAt), recordWithinMs);
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
  const ended = { result, at, nextAt, disableBefore };
  const status = await whileAway(() => endWebhookAttempt(orm.em.fork(), delivery, ended), recordWithinMs);
  return status === 'pending' && nextAt !== null ? waitingUntil(nextAt) : { status, wait_ms: 0 };
}

function open(seal: Seal, { sealed, sealed_credential, ...delivery }: DueDelivery, body: string): OpenedDelivery {
  const { webhook_id } = delivery;
  return {
    ...delivery,
    body,
    secrets: sealed.map((one) => seal.decrypt(one, webhookSecretPurpose(webhook_id))),
    credential:
      sealed_credential === null ? null : seal.decrypt(sealed_credential, webhookCredentialPurpose(webhook_id)),
  };
}

function waitingUntil(at: Date): DeliveryProgress {
  return { status: 'pending', wait_ms: Math.max(1, at.getTime() - Date.now()) };
}
