import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { relayEvents, type Relayed } from '../../domain/store/webhook-relay.store.ts';
import { renderBody } from '../../domain/webhook/webhook-body.ts';
import { clientOf } from '../a2a/agent-client.ts';
import { act, buyUpTo, openMarket, type Data } from '../api/purchase.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { subscribe } from './subscription.ts';

/** No worker of webhooks runs: these tests are the relay. */
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());
beforeEach(async () => {
  await service.em.execute('update webhook_cursor set seq = (select coalesce(max(seq), 0) from event)');
  await service.em.execute('delete from webhook_delivery');
});

const mebibyte = 1024 * 1024;
const receiver = 'http://127.0.0.1:9/push';

async function relayOnce(): Promise<Relayed> {
  const [{ seq }] = await service.em.execute<[{ seq: string }]>('select max(seq)::text as seq from event');
  return await relayEvents(service.em, BigInt(seq), 100, new Date(), renderBody);
}

interface Statement {
  readonly count: number;
  readonly bytes: number;
}

/** What each statement wrote of deliveries: PostgreSQL keeps with a row which statement of its transaction made it. */
async function statements(): Promise<Statement[]> {
  return await service.em.execute<Statement[]>(
    `select count(*)::integer as count, sum(octet_length(body))::integer as bytes
     from webhook_delivery group by xmin::text, cmin::text`,
  );
}

async function addConfigs(person: Person, taskId: string, count: number): Promise<void> {
  const client = await clientOf(service, person);
  for (let number = 1; number <= count; number += 1)
    await client.createTaskPushNotificationConfig({
      tenant: '',
      id: `config-${number}`,
      taskId,
      url: receiver,
      token: '',
      authentication: undefined,
    });
}

/** A task of which both parties have all the configs that they may, and that has come to a result of a mebibyte. */
async function deliverLarge(): Promise<void> {
  const market = await openMarket(service);
  const id = await buyUpTo(market, 'pending');
  await addConfigs(market.buyer, id, 10);
  await addConfigs(market.seller, id, 10);
  await act(market.buyer, id, 'freeze');
  await act(market.seller, id, 'accept');
  expect((await act(market.seller, id, 'deliver', { result_payload: { short: true } })).code).toBe(0);
  // As large as the answer of a seller may be, which no body of a request is.
  await service.em.execute('update transaction set result_payload = ?::jsonb where id = ?', [
    JSON.stringify({ text: `"${'x'.repeat(mebibyte - 100)}"` }),
    id,
  ]);
}

it('writes twenty large notifications of one step in portions, and never keeps the worker from its heartbeat', async () => {
  await deliverLarge();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const relayed = await relayOnce();
  delay.disable();
  expect(relayed).toEqual({ deliveryCount: 60, isMore: false });
  const [large] = await service.em.execute<[Data]>(
    'select count(*)::integer as count from webhook_delivery where octet_length(body) > ?',
    [mebibyte],
  );
  expect(large).toEqual({ count: 20 });
  for (const { count, bytes } of await statements()) expect(count === 1 || bytes <= mebibyte).toBe(true);
  // The heartbeat's timeout is 10 s; all at once took 7 s on an idle machine.
  expect(delay.max / 1e6).toBeLessThan(2_000);
});

it('ends a batch behind the event that fills it, and goes on from there', async () => {
  const person = await service.human();
  for (let count = 0; count < 20; count += 1) await subscribe(person, receiver);
  for (let count = 0; count < 2; count += 1)
    await service.em.execute(
      `select append_event('test.event', 'system', null, array[?::uuid], jsonb_build_object('text', repeat('x', ?)), now())`,
      [person.userId, mebibyte],
    );
  expect(await relayOnce()).toEqual({ deliveryCount: 20, isMore: true });
  expect(await relayOnce()).toEqual({ deliveryCount: 20, isMore: false });
  const events = await service.em.execute<{ count: number }[]>(
    'select count(*)::integer as count from webhook_delivery group by event_seq',
  );
  expect(events).toEqual([{ count: 20 }, { count: 20 }]);
});
