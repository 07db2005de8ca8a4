import type { FastifyBaseLogger } from 'fastify';
import { forgetTries } from '../domain/store/device-code-try.store.ts';
import { forgetDeviceSessions } from '../domain/store/device-session.store.ts';
import { signInLimit } from '../domain/identity/sign-in.ts';
import { forgetSpend } from '../domain/store/api-key-spend.store.ts';
import { forgetAnswers } from '../domain/store/idempotency.store.ts';
import { forgetSignInTries } from '../domain/store/sign-in-try.store.ts';
import { forgetEndedConfigs } from '../domain/store/webhook-config.store.ts';
import { forgetWebhookDeliveries } from '../domain/store/webhook-delivery-list.store.ts';
import { overdueTransactions } from '../domain/store/transaction.store.ts';
import type { Deps } from './deps.ts';
import { tryWindowMs } from './device/device-approval.ts';

const everyMs = 60_000;
const answersKeptHours = 48;
/** Only the present day counts; a week of days before is kept for whoever has a question. */
const spendKeptDays = 7;
const batch = 500;
const deviceBatches = 40;
const deliveryBatches = 40;
/** A running workflow acts at its deadline within seconds; a row that is later than this may have lost its workflow. */
const overdueAfterMs = 5 * 60_000;

/** Forgets old answers and starts lost workflows again. Safe on every node at once; answers how to stop it. */
export function startMaintenance(deps: Deps, log: FastifyBaseLogger): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void tidyUp(deps)
      .catch((error: unknown) => log.warn({ err: error }, 'maintenance failed, tried again in a minute'))
      .finally(() => {
        running = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}

/** One round. */
export async function tidyUp(deps: Deps): Promise<void> {
  const em = deps.orm.em.fork();
  await forgetAnswers(em, answersKeptHours, batch);
  await forgetSignInTries(em, signInLimit.windowSec, batch);
  await forgetSpend(em, spendKeptDays, batch);
  await forgetDevices(deps);
  await forgetDeliveries(deps);
  await forgetEndedConfigs(em, new Date(deps.now().getTime() - deps.settings.webhookDeliveriesKeptMs), batch);
  const before = new Date(deps.now().getTime() - overdueAfterMs);
  for (const state of await overdueTransactions(em, before, batch)) await deps.workflows.resume(state);
}

/** Sessions end within minutes of their start: of the many that a flood leaves, more must go than can come in. */
export async function forgetDevices({ orm, now }: Pick<Deps, 'orm' | 'now'>): Promise<void> {
  const em = orm.em.fork();
  for (let round = 0; round < deviceBatches; round += 1) {
    const sessions = await forgetDeviceSessions(em, now(), batch);
    const tries = await forgetTries(em, new Date(now().getTime() - tryWindowMs), batch);
    if (sessions < batch && tries < batch) return;
  }
}

/** One event may make many deliveries: of those of a busy day, more must go in a day than can come in. */
async function forgetDeliveries({ orm, now, settings }: Pick<Deps, 'orm' | 'now' | 'settings'>): Promise<void> {
  const em = orm.em.fork();
  const before = new Date(now().getTime() - settings.webhookDeliveriesKeptMs);
  for (let round = 0; round < deliveryBatches; round += 1)
    if ((await forgetWebhookDeliveries(em, before, batch)) < batch) return;
}
