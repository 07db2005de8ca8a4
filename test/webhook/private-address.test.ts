import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenDns, type DnsServer } from '../callback/dns-server.ts';
import { startService, type Service } from '../harness.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { detailOf, freshPath, quickRetries, subscribe, untilEnded, webhooks } from './subscription.ts';

const name = 'receiver.test';
let service: Service;
let receiver: Receiver;
let dns: DnsServer;
beforeAll(async () => {
  dns = await listenDns((_, type) => (type === 'A' ? [{ type: 'A', name, ttl: 0, data: '127.0.0.1' }] : []));
  receiver = await openReceiver();
  const env = { ...quickRetries, CALLBACK_ALLOW_PRIVATE: 'false', CALLBACK_DNS_SERVERS: dns.address };
  service = await startService(env, { webhooks: true });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await dns[Symbol.asyncDispose]();
});

describe('where private addresses are not allowed', () => {
  it('one is refused where it is dialled, by whatever name it goes, and nothing comes to it', async () => {
    const person = await service.human();
    const path = freshPath();
    const { port } = new URL(receiver.urlOf(path));
    const { id } = await subscribe(person, `http://${name}:${port}${path}`);
    const attempt = { outcome: 'failed', reason: 'address_refused', http_status: null };
    const tested = async (count: number) => {
      await person.call('POST', `${webhooks}/${id}/test`);
      const [newest] = await untilEnded(person, id, count);
      return (await detailOf(person, id, newest?.['id'])).attempts;
    };
    expect(await tested(1)).toMatchObject([attempt]);
    expect(dns.questions).toContain(`A ${name}`);
    // One that came past the rule of the text, as from a time when it was another.
    await service.em.execute('update webhook set url = ? where id = ?', [receiver.urlOf(path), id]);
    expect(await tested(2)).toMatchObject([attempt]);
    expect(receiver.received(path)).toEqual([]);
  });
});
