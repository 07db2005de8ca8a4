import { setTimeout as delay } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import { log } from '@temporalio/activity';
import { openEventListener } from '../../domain/store/event-listener.ts';
import { openEventTail } from '../../domain/store/event-tail.ts';
import type { Render } from '../../domain/store/webhook-batch.store.ts';
import { disableAndTell } from '../../domain/store/webhook-delivery.store.ts';
import {
  forgetStarts,
  isAnyMeant,
  markStarted,
  overfullWebhooks,
  relayEvents,
  unstartedDeliveries,
  type Relayed,
  type Unstarted,
} from '../../domain/store/webhook-relay.store.ts';
import { renderBody } from '../../domain/webhook/webhook-body.ts';
import {
  webhookDeliveryWorkflowId,
  webhookDeliveryWorkflowType,
  webhookTaskQueue,
  type WebhookDeliveryStart,
} from '../../workflows/webhook-messages.ts';

export interface RelayParts {
  readonly orm: MikroORM;
  readonly temporal: Client;
  /** That of the transactions; webhooks have one beside it. */
  readonly taskQueue: string;
  readonly databaseUrl: string;
  /** What a run of a delivery is started with. */
  readonly retry: Omit<WebhookDeliveryStart, 'delivery_id' | 'run'>;
}

const eventsAtOnce = 100;
const startsAtOnce = 20;
const startsPerLook = 100;
const startWithinMs = 10_000;
/** Between two looks, so that many commits make few of them. */
const restMs = 100;
/** How far it has come is written down so often, and whenever a delivery is made. */
const writeEveryMs = 1_000;
/** How often what was lost is looked for. */
const sweepEveryMs = 60_000;
/** A workflow that runs acts within seconds; what is later than this may have lost it. */
const overdueAfterMs = 15 * 60_000;
const overdueAtOnce = 500;
/** A receiver that lets more than this wait for it never comes to an end of them. */
const pendingAtMost = 10_000;

/**
 * Follows the events: makes their deliveries and starts the workflows of these, until the signal or for `forMs`. What a
 * relay that died had made and not started is found by the next one.
 */
export async function relay(parts: RelayParts, stop: AbortSignal, forMs: number): Promise<void> {
  const listener = openEventListener(parts.databaseUrl);
  const tail = openEventTail(listener, { restMs });
  const ended = AbortSignal.any([stop, AbortSignal.timeout(forMs)]);
  let woken = Promise.withResolvers<void>();
  let isAsked = true;
  const wake = () => woken.resolve();
  tail.onMove(wake);
  // Somebody wrote a delivery of their own: a test, or one that is sent again.
  listener.subscribe('webhook', () => {
    isAsked = true;
    wake();
  });
  ended.addEventListener('abort', wake, { once: true });
  let sweptAt = -Infinity;
  let writtenAt = -Infinity;
  let written = 0n;
  let looked = 0n;
  try {
    while (!ended.aborted) {
      // Renewed before the look, so that nothing falls between the two.
      woken = Promise.withResolvers();
      const isSweep = performance.now() - sweptAt >= sweepEveryMs;
      if (isSweep) {
        await sweep(parts);
        sweptAt = performance.now();
      }
      const mayStart = isSweep || isAsked;
      isAsked = false;
      const settled = tail.settledSeq ?? 0n;
      const isDue = settled > written && performance.now() - writtenAt >= writeEveryMs;
      let relayed: Relayed = { deliveryCount: 0, isMore: false };
      if (isDue || (settled > looked && (await isAnyMeant(parts.orm.em, looked, settled)))) {
        relayed = await relayEvents(parts.orm.em.fork(), settled, eventsAtOnce, new Date(), render);
        if (!relayed.isMore) [written, writtenAt] = [settled, performance.now()];
      }
      const { deliveryCount, isMore } = relayed;
      if (deliveryCount > 0 || mayStart) await startDeliveries(parts, ended);
      if (isMore) continue;
      looked = settled;
      await within(looked > written ? writeEveryMs : sweepEveryMs, woken.promise);
    }
  } finally {
    await listener.close();
    await tail.close();
  }
}

/** A body that cannot be rendered must not keep everybody else's from being sent. */
const render: Render = (webhook, event, state) => {
  try {
    return renderBody(webhook, event, state);
  } catch (error) {
    log.error('no body for a webhook', { webhook_id: webhook.id, seq: event.seq, error: String(error) });
    return null;
  }
};

/** Starts what is not started, in the order of the events. Throws where Temporal takes none. */
async function startDeliveries(parts: RelayParts, ended: AbortSignal): Promise<void> {
  const em = parts.orm.em.fork();
  while (!ended.aborted) {
    const waiting = await unstartedDeliveries(em, startsPerLook);
    for (let from = 0; from < waiting.length; from += startsAtOnce) {
      const some = waiting.slice(from, from + startsAtOnce);
      const starts = await Promise.allSettled(some.map((one) => startDelivery(parts, one)));
      const started = some.filter((_, index) => starts[index]?.status === 'fulfilled');
      if (started.length > 0) await markStarted(em, started, new Date());
      const failure = starts.find((one) => one.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    }
    if (waiting.length < startsPerLook) return;
  }
}

/** A second start of the same run finds the first; one that has ended ends again at once, by its row. */
async function startDelivery({ temporal, taskQueue, retry }: RelayParts, { id, run }: Unstarted): Promise<void> {
  const start: WebhookDeliveryStart = { delivery_id: id, run, ...retry };
  await temporal.withDeadline(Date.now() + startWithinMs, () =>
    temporal.workflow.start(webhookDeliveryWorkflowType, {
      workflowId: webhookDeliveryWorkflowId(id, run),
      taskQueue: webhookTaskQueue(taskQueue),
      args: [start],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    }),
  );
}

/** Finds what lost its workflow, and gives up receivers that let too much wait. */
async function sweep({ orm }: RelayParts): Promise<void> {
  const em = orm.em.fork();
  const at = new Date();
  await forgetStarts(em, new Date(at.getTime() - overdueAfterMs), overdueAtOnce);
  for (const id of await overfullWebhooks(em, pendingAtMost))
    await em.transactional((inner) => disableAndTell(inner, id, 'failing', at));
}

async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: ended }).catch(() => undefined);
}

/** Waits for an event, and no longer than this. */
async function within(ms: number, event: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([event, pause(ms, over.signal)]);
  over.abort();
}
