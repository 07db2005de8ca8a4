import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attemptDelivery, type AttemptParts } from '../../activities/webhook/attempt.ts';
import { openWebhookClient } from '../../activities/webhook/webhook-client.ts';
import { webhookSettings } from '../../activities/webhook/webhook-setting.ts';
import { openOrm } from '../../domain/store/orm.ts';
import {
  beginWebhookAttempt,
  endWebhookAttempt,
  type DueDelivery,
  type EndedAttempt,
} from '../../domain/store/webhook-delivery.store.ts';
import { relayEvents, unstartedDeliveries } from '../../domain/store/webhook-relay.store.ts';
import { renderBody } from '../../domain/webhook/webhook-body.ts';
import { openWay } from '../database-way.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { detailOf, freshPath, subscribe, tell, webhooks } from './subscription.ts';

/** No worker of webhooks runs: these tests make the attempts. */
let service: Service;
let receiver: Receiver;
let person: Person;
let path: string;
let webhookId: string;
let id: string;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService(), openReceiver()]);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  person = await service.human();
  path = freshPath();
  webhookId = (await subscribe(person, receiver.urlOf(path))).id;
  await tell(service, person);
  const [{ seq }] = await service.em.execute<[{ seq: string }]>('select max(seq)::text as seq from event');
  await relayEvents(service.em, BigInt(seq), 100, new Date(), renderBody);
  const waiting = await unstartedDeliveries(service.em, 100);
  const { items } = (await person.call('GET', `${webhooks}/${webhookId}/deliveries`)).data;
  id = waiting.find((one) => one.id === items[0].id)?.id ?? '';
});

async function begin(): Promise<DueDelivery> {
  const begun = await beginWebhookAttempt(service.em, id, 1, new Date());
  if (begun.kind !== 'due') throw new Error(begun.kind);
  return begun.delivery;
}

function failedAt(at: Date): EndedAttempt {
  const result = { outcome: 'failed', reason: 'http_5xx', http_status: 500, latency_ms: 1 } as const;
  return { result, at, nextAt: new Date(at.getTime() + 60_000), disableBefore: new Date(0) };
}

async function failureCount(): Promise<number> {
  const [row] = await service.em.execute<[{ failure_count: number }]>(
    'select failure_count from webhook_delivery where id = ?',
    [id],
  );
  return row.failure_count;
}

describe('the end of an attempt', () => {
  it('is recorded once, however often it is said: the second time it answers what stands', async () => {
    const delivery = await begin();
    const ended = failedAt(new Date());
    expect(await endWebhookAttempt(service.em, delivery, ended)).toBe('pending');
    expect(await endWebhookAttempt(service.em, delivery, ended)).toBe('pending');
    expect(await failureCount()).toBe(1);
    await person.call('PUT', `${webhooks}/${webhookId}`, { status: 'disabled' });
    expect(await endWebhookAttempt(service.em, delivery, ended)).toBe('cancelled');
  });

  it('changes nothing of a run that its owner asked for meanwhile', async () => {
    const delivery = await begin();
    for (const status of ['disabled', 'enabled']) await person.call('PUT', `${webhooks}/${webhookId}`, { status });
    const resent = await person.call('POST', `${webhooks}/${webhookId}/deliveries/${id}/resend`);
    expect(resent.data).toMatchObject({ status: 'pending' });
    await endWebhookAttempt(service.em, delivery, failedAt(new Date()));
    expect(await failureCount()).toBe(0);
    const detail = await detailOf(person, webhookId, id);
    expect(detail).toMatchObject({ status: 'pending', next_attempt_at: resent.data.next_attempt_at });
    expect(detail.attempts).toMatchObject([{ number: 1, outcome: 'failed' }]);
  });
});

describe('a database that is away for a moment', () => {
  it('does not make an attempt that arrived come again', async () => {
    await using cleanup = new AsyncDisposableStack();
    const way = await openWay(service.databaseUrl, cleanup);
    const orm = await openOrm(way.databaseUrl, 2);
    cleanup.defer(() => orm.close(true));
    const client = openWebhookClient(webhookSettings(service.settings).client);
    cleanup.defer(() => client.close());
    const parts: AttemptParts = {
      orm,
      seal: service.secrets,
      webhooks: client,
      pushSigner: () => Promise.reject(new Error('nothing of an agent protocol is sent')),
    };
    receiver.answer(path, () => {
      way.cut();
      // A database that starts again takes its time.
      setTimeout(() => way.mend(), 700);
      return 204;
    });
    const start = { delivery_id: id, run: 1, schedule_ms: [1_000], timeout_ms: 5_000, disable_after_ms: 60_000 };
    expect(await attemptDelivery(parts, start)).toEqual({ status: 'delivered', wait_ms: 0 });
    const { attempts } = await detailOf(person, webhookId, id);
    expect(attempts).toMatchObject([{ number: 1, outcome: 'delivered' }]);
    expect(receiver.received(path)).toHaveLength(1);
  });
});
