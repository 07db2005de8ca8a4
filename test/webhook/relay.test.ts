import { Client as DatabaseClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginWebhookAttempt, disableAndTell, endWebhookAttempt } from '../../domain/store/webhook-delivery.store.ts';
import { keepWebhookRelay } from '../../activities/webhook/relay-start.ts';
import type { Render } from '../../domain/store/webhook-batch.store.ts';
import { relayEvents, unstartedDeliveries } from '../../domain/store/webhook-relay.store.ts';
import { renderBody } from '../../domain/webhook/webhook-body.ts';
import {
  webhookDeliveryWorkflowId,
  webhookDeliveryWorkflowType,
  webhookRelayWorkflowId,
  webhookTaskQueue,
} from '../../workflows/webhook-messages.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import {
  deliveriesOf,
  detailOf,
  freshPath,
  quickRetries,
  readWebhook,
  subscribe,
  tell,
  typesOf,
  untilEnded,
} from './subscription.ts';

/** Most of these tests play the relay themselves, up to where it dies; the worker is started for what comes then. */
let service: Service;
let receiver: Receiver;
let person: Person;
let id: string;
let path: string;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService({ ...quickRetries }, { webhooks: true }), openReceiver()]);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** A subscriber for whom something has happened, while no worker is there. */
async function prepare(): Promise<void> {
  await service.stopWorker();
  person = await service.human();
  path = freshPath();
  id = (await subscribe(person, receiver.urlOf(path))).id;
  await tell(service, person, 'transaction.created');
  await tell(service, person, 'transaction.frozen');
}

async function highestSeq(): Promise<bigint> {
  const [row] = await service.em.execute<[{ seq: string }]>('select max(seq)::text as seq from event');
  return BigInt(row.seq);
}

async function cursorSeq(): Promise<bigint> {
  const [row] = await service.em.execute<[{ seq: string }]>('select seq::text from webhook_cursor');
  return BigInt(row.seq);
}

async function relayAll(render: Render = renderBody, most = 100): Promise<number> {
  const settled = await highestSeq();
  let made = 0;
  for (let isMore = true; isMore;) {
    const batch = await relayEvents(service.em, settled, most, new Date(), render);
    made += batch.deliveryCount;
    ({ isMore } = batch);
  }
  return made;
}

async function startsOf(deliveryId: string) {
  const start = { delivery_id: deliveryId, run: 1, schedule_ms: [20], timeout_ms: 1_000, disable_after_ms: 60_000 };
  return await service.temporal.workflow.start(webhookDeliveryWorkflowType, {
    workflowId: webhookDeliveryWorkflowId(deliveryId, 1),
    taskQueue: webhookTaskQueue(service.taskQueue),
    args: [start],
  });
}

/** What came of both events once a worker runs again. */
async function outcomeOfBoth() {
  await service.restartWorker();
  const ended = await untilEnded(person, id, 2);
  return {
    log: ended.map(({ status, attempt_count }) => ({ status, attempt_count })),
    received: typesOf(receiver.received(path)),
  };
}

const eachOnce = {
  log: [
    { status: 'delivered', attempt_count: 1 },
    { status: 'delivered', attempt_count: 1 },
  ],
  received: ['transaction.created', 'transaction.frozen'],
};

describe('nothing is lost and nothing doubled where the relay dies', () => {
  it('before it has looked', async () => {
    await prepare();
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });

  it('while it writes the deliveries: the cursor stays where it was', async () => {
    await prepare();
    const before = await cursorSeq();
    let rendered = 0;
    const dying: Render = (...given) => {
      rendered += 1;
      if (rendered === 2) throw new Error('killed');
      return renderBody(...given);
    };
    await expect(relayAll(dying)).rejects.toThrow('killed');
    expect(await cursorSeq()).toBe(before);
    expect(await deliveriesOf(person, id)).toEqual([]);
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });

  it('when they are written and none is started', async () => {
    await prepare();
    expect(await relayAll()).toBe(2);
    expect(await deliveriesOf(person, id)).toHaveLength(2);
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });

  it('when one is started and not marked so', async () => {
    await prepare();
    await relayAll();
    const [first] = await unstartedDeliveries(service.em, 10);
    await startsOf(first?.id ?? '');
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });

  it('when one is started, delivered, and still not marked so', async () => {
    await prepare();
    await relayAll();
    const [first] = await unstartedDeliveries(service.em, 10);
    const handle = await startsOf(first?.id ?? '');
    await service.restartWorker();
    expect(await handle.result()).toBe('delivered');
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });

  it('when one is marked as started and its workflow is lost', async () => {
    await prepare();
    await relayAll();
    await service.em.execute(
      `update webhook_delivery set started_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour'
       where webhook_id = ?`,
      [id],
    );
    expect(await outcomeOfBoth()).toEqual(eachOnce);
  });
});

describe('the relay', () => {
  it('goes on after its workflow was terminated, or its database was away', async () => {
    await prepare();
    await service.temporal.workflow.getHandle(webhookRelayWorkflowId(service.taskQueue)).terminate('by a mistake');
    expect(await outcomeOfBoth()).toEqual(eachOnce);
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'marketplace-event'`;
    await service.em.execute(kill);
    await tell(service, person, 'transaction.accepted');
    expect(typesOf(await receiver.until(path, 3))).toContain('transaction.accepted');
  });

  it('comes back by itself where a worker looks after it', async () => {
    await prepare();
    await service.restartWorker();
    await untilEnded(person, id, 2);
    const relay = service.temporal.workflow.getHandle(webhookRelayWorkflowId(service.taskQueue));
    await relay.terminate('by a mistake');
    const stop = new AbortController();
    const kept = keepWebhookRelay(service.temporal, service.taskQueue, stop.signal, 100);
    const status = async () => (await relay.describe()).status.name;
    await expect.poll(status, { timeout: 10_000 }).toBe('RUNNING');
    await tell(service, person, 'transaction.accepted');
    expect(typesOf(await receiver.until(path, 3))).toContain('transaction.accepted');
    stop.abort();
    await kept;
  });

  it('makes each delivery once, however many relays there are and however small their batches', async () => {
    await prepare();
    for (let count = 0; count < 20; count += 1) await tell(service, person);
    const relays = [relayAll(renderBody, 1), relayAll(renderBody, 3), relayAll(renderBody, 7), relayAll()];
    const made = await Promise.all(relays);
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(22);
    expect(await deliveriesOf(person, id)).toHaveLength(22);
    expect(await cursorSeq()).toBe(await highestSeq());
  });

  it('waits for an event with a lower number that commits later', async () => {
    await prepare();
    expect(await outcomeOfBoth()).toEqual(eachOnce);
    const late = new DatabaseClient({ connectionString: service.databaseUrl });
    await late.connect();
    try {
      const append = `select append_event($1, 'system', null, array[$2::uuid], '{}'::jsonb, now())`;
      await late.query('begin');
      await late.query(append, ['transaction.delivered', person.userId]);
      await tell(service, person, 'transaction.settled');
      const settled = await highestSeq();
      await late.query('commit');
      await receiver.until(path, 4);
      expect(typesOf(receiver.received(path)).slice(2)).toEqual(['transaction.delivered', 'transaction.settled']);
      expect(await cursorSeq()).toBe(settled);
    } finally {
      await late.end();
    }
  });

  it('passes an event of which nothing is to be told', async () => {
    await prepare();
    expect(await relayAll(() => null)).toBe(0);
    expect(await cursorSeq()).toBe(await highestSeq());
    await service.restartWorker();
  });

  it('tells a disabled webhook nothing of its own end', async () => {
    await prepare();
    await service.restartWorker();
    await untilEnded(person, id, 2);
    await service.em.transactional((em) => disableAndTell(em, id, 'failing', new Date()));
    await service.em.transactional((em) => disableAndTell(em, id, 'failing', new Date()));
    // The relay has looked at it, and so has the feed.
    const highest = await highestSeq();
    await expect.poll(cursorSeq, { timeout: 10_000 }).toBe(highest);
    const events = async () => (await person.call('GET', '/api/v1/events?after=0&type=webhook.disabled')).data.items;
    await expect.poll(events).toHaveLength(1);
    expect(await readWebhook(person, id)).toMatchObject({ status: 'disabled' });
    expect(await deliveriesOf(person, id)).toHaveLength(2);
  });
});

describe('an attempt under way while its webhook is disabled', () => {
  it.each([
    ['delivered', 'delivered'],
    ['failed', 'cancelled'],
  ] as const)('that has %s leaves the delivery %s', async (outcome, status) => {
    await prepare();
    await relayAll();
    const [first] = await unstartedDeliveries(service.em, 1);
    const begun = await beginWebhookAttempt(service.em, first?.id ?? '', 1, new Date());
    if (begun.kind !== 'due') throw new Error(begun.kind);
    await service.em.transactional((em) => disableAndTell(em, id, 'failing', new Date()));
    const result = { outcome, reason: null, http_status: null, latency_ms: 1 };
    const at = new Date();
    const ended = { result, at, nextAt: new Date(at.getTime() + 1_000), disableBefore: new Date(0) };
    expect(await endWebhookAttempt(service.em, begun.delivery, ended)).toBe(status);
    const log = await deliveriesOf(person, id);
    expect(log.find((one) => one['id'] === first?.id)).toMatchObject({ status, attempt_count: 1 });
  });
});

describe('a worker that stops', () => {
  it('ends the attempt that it makes, and another goes on with the rest', async () => {
    await prepare();
    receiver.answer(path, (ordinal) => (ordinal === 1 ? 'never' : 204));
    await service.restartWorker();
    await receiver.until(path, 1);
    await service.stopWorker();
    await service.restartWorker();
    const ended = await untilEnded(person, id, 2);
    expect(ended.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    const { attempts } = await detailOf(person, id, receiver.received(path)[0]?.headers['webhook-id']);
    // Not one whose end nobody recorded.
    expect(attempts).toMatchObject([{ outcome: 'failed', reason: 'timed_out' }, { outcome: 'delivered' }]);
    expect(new Set(receiver.received(path).map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });
});
