import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWebhookClient } from '../../activities/webhook/webhook-client.ts';
import { webhookSettings } from '../../activities/webhook/webhook-setting.ts';
import { appendEvent } from '../../domain/store/event.store.ts';
import { listenDns, type DnsServer } from '../callback/dns-server.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { openReceiver, type Answer, type Receiver } from './receiver.ts';
import { deliveriesOf, detailOf, freshPath, quickRetries, subscribe, tell, untilEnded } from './subscription.ts';

/** Each host, and each user, has one request under way; whatever is called `*.test` is this machine. */
let service: Service;
let receiver: Receiver;
let dns: DnsServer;
let person: Person;
let path: string;
let held: PromiseWithResolvers<Answer>;
beforeAll(async () => {
  dns = await listenDns((name, type) => (type === 'A' ? [{ type: 'A', name, ttl: 0, data: '127.0.0.1' }] : []));
  receiver = await openReceiver();
  const env = { WEBHOOK_MAX_PER_HOST: '1', WEBHOOK_TIMEOUT: '25s', CALLBACK_DNS_SERVERS: dns.address };
  service = await startService(env, { webhooks: true });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await dns[Symbol.asyncDispose]();
});
beforeEach(async () => {
  person = await service.human();
  path = freshPath();
  held = Promise.withResolvers();
  receiver.answer(path, (ordinal) => (ordinal === 1 ? held.promise : 204));
});

function urlAt(host: string, where: string): string {
  return receiver.urlOf(where).replace('127.0.0.1', `${host}.test`);
}

/** Resolves with a delivery of this webhook that has asked for a place, and was told to come later. */
async function untilPutOff(id: string) {
  const look = async () =>
    (await deliveriesOf(person, id)).find(
      ({ status, attempt_count, created_at, next_attempt_at }) =>
        status === 'pending' &&
        attempt_count === 0 &&
        Date.parse(String(next_attempt_at)) > Date.parse(String(created_at)),
    );
  await expect.poll(look, { timeout: 20_000, interval: 50 }).toBeDefined();
  return await look();
}

describe('a receiver that takes no more at once', () => {
  it('is sent the next event when it has answered the one before, which counts as the first attempt at it', async () => {
    const { id } = await subscribe(person, urlAt('one', path));
    await service.em.transactional(async (em) => {
      const event = { type: 'test.event', actorType: 'system', actorUserId: null, data: {}, at: new Date() };
      for (let count = 0; count < 2; count += 1) await appendEvent(em, { ...event, audience: [person.userId] });
    });
    await receiver.until(path, 1);
    const putOff = await untilPutOff(id);
    expect((await detailOf(person, id, putOff?.['id'])).attempts).toEqual([]);
    expect(receiver.received(path)).toHaveLength(1);
    held.resolve(204);
    expect(await untilEnded(person, id, 2)).toMatchObject([
      { status: 'delivered', attempt_count: 1 },
      { status: 'delivered', attempt_count: 1 },
    ]);
    expect((await detailOf(person, id, putOff?.['id'])).attempts).toMatchObject([{ number: 1, outcome: 'delivered' }]);
  });

  it('holds up all other hosts of the same user, and those of nobody else', async () => {
    const [second, strange] = [freshPath(), freshPath()];
    await subscribe(person, urlAt('slow', path));
    await tell(service, person);
    await receiver.until(path, 1);
    const { id } = await subscribe(person, urlAt('quick', second));
    const other = await service.human();
    await subscribe(other, urlAt('quick', strange));
    await tell(service, person);
    await untilPutOff(id);
    await tell(service, other);
    await receiver.until(strange, 1);
    expect(receiver.received(second)).toEqual([]);
    held.resolve(204);
    expect(await untilEnded(person, id, 1)).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });

  it.each([
    ['host', 'another user'],
    ['user', 'the same user'],
  ])('costs no message where its %s is busy with another request', async (busy, userId) => {
    const client = openWebhookClient(webhookSettings(service.settings).client);
    try {
      let written = 0;
      const message = () => {
        written += 1;
        return { headers: {}, body: '{}' };
      };
      const url = urlAt('one', path);
      const first = client.post({ userId: 'the same user', url, message, timeoutMs: 20_000 });
      await receiver.until(path, 1);
      const elsewhere = busy === 'host' ? url : urlAt('other', path);
      expect(await client.post({ userId, url: elsewhere, message, timeoutMs: 20_000 })).toBe('busy');
      expect(written).toBe(1);
      held.resolve(204);
      expect(await first).toMatchObject({ outcome: 'delivered' });
    } finally {
      await client.close();
    }
  });
});

describe('a worker that makes one attempt at once', () => {
  it('makes it beside the relay', async () => {
    const small = await startService({ ...quickRetries, WEBHOOK_CONCURRENCY: '1' }, { webhooks: true });
    try {
      const owner = await small.human();
      const { id } = await subscribe(owner, receiver.urlOf(freshPath()));
      await tell(small, owner);
      expect(await untilEnded(owner, id, 1)).toMatchObject([{ status: 'delivered' }]);
    } finally {
      await small.close();
    }
  });
});
