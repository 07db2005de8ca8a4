import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { webhookSecretPurpose } from '../../domain/store/webhook-secret.store.ts';
import { forgetWebhookDeliveries } from '../../domain/store/webhook-delivery-list.store.ts';
import { startService, type AgentPerson, type Person, type Service } from '../harness.ts';
import { keyOf } from '../api/limited-key.ts';
import { deliveriesOf, readWebhook, subscribe, webhooks } from './subscription.ts';

const url = 'https://agent.example/webhook';
let service: Service;
let human: Person;
let agent: AgentPerson;
beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_PRIVATE: 'false' });
  human = await service.human();
  agent = await service.agent();
});
afterAll(async () => await service.close());

async function rowsOf(table: string, webhookId: string): Promise<number> {
  const column = table === 'webhook' ? 'id' : 'webhook_id';
  const [row] = await service.em.execute<[{ count: number }]>(
    `select count(*)::integer as count from ${table} where ${column} = ?`,
    [webhookId],
  );
  return row.count;
}

describe('a webhook', () => {
  it('is made by people and agents, and shown without its secret', async () => {
    for (const owner of [human, agent]) {
      const body = { url, event_types: ['transaction.settled', 'transaction.settled'], description: 'mine' };
      const { status, data } = await owner.call('POST', webhooks, body);
      const { secret, ...shown } = data;
      expect({ status, shown }).toEqual({
        status: 201,
        shown: {
          id: expect.any(String),
          url,
          event_types: ['transaction.settled'],
          description: 'mine',
          status: 'enabled',
          disabled_at: null,
          disabled_reason: null,
          failing_since: null,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      });
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(await readWebhook(owner, data.id)).toEqual(shown);
      const list = await owner.call('GET', webhooks);
      expect(list.data).toMatchObject({ items: [shown], total: 1, has_more: false });
      expect(list.text).not.toContain('whsec_');
    }
  });

  it('has a secret that is sealed for it alone, and that no replay shows', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await agent.call('POST', webhooks, { url }, key);
    const again = await agent.call('POST', webhooks, { url }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.data).toEqual({ ...first.data, secret: null });
    const { id, secret } = first.data as { id: string; secret: string };
    const [row] = await service.em.execute<[{ sealed: string }]>(
      `select encode(sealed, 'base64') as sealed from webhook_secret where webhook_id = ?`,
      [id],
    );
    const sealed = Buffer.from(row.sealed, 'base64');
    expect(sealed.includes(secret)).toBe(false);
    expect(service.secrets.decrypt(sealed, webhookSecretPurpose(id))).toBe(secret);
    expect(() => service.secrets.decrypt(sealed, webhookSecretPurpose(randomUUID()))).toThrow(/authenticate/);
    const [{ text }] = await service.em.execute<[{ text: string }]>(
      `select string_agg(r::text, ' ') as text from idempotency_record r`,
    );
    expect(text).toContain(id);
    expect(text).not.toContain(secret);
  });

  it('is found again by the key that made it after the stored answer is forgotten, and not made twice', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { data } = await agent.call('POST', webhooks, { url }, key);
    await service.em.execute('delete from idempotency_record');
    const again = await agent.call('POST', webhooks, { url }, key);
    expect(again).toMatchObject({ status: 409, code: 4093, data: { webhook_id: data.id } });
  });

  it('is deleted with its secrets at once, and with its deliveries by maintenance', async () => {
    const person = await service.human();
    const { id } = await subscribe(person, url);
    await person.call('POST', `${webhooks}/${id}/test`);
    const [delivery] = await deliveriesOf(person, id);
    expect(await person.call('DELETE', `${webhooks}/${id}`)).toMatchObject({ data: { id, deleted: true } });
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${String(delivery?.['id'])}`],
      ['POST', `/deliveries/${String(delivery?.['id'])}/resend`],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const reply = await person.call(method, `${webhooks}/${id}${path}`, method === 'PUT' ? {} : undefined);
      expect(reply, `${method} ${path}`).toMatchObject({ status: 404, code: 4040 });
    }
    expect((await person.call('GET', webhooks)).data.total).toBe(0);
    expect([await rowsOf('webhook_secret', id), await rowsOf('webhook_delivery', id)]).toEqual([0, 1]);
    await forgetWebhookDeliveries(service.em, new Date(0), 100);
    expect([await rowsOf('webhook', id), await rowsOf('webhook_delivery', id)]).toEqual([0, 0]);
  });

  it('keeps its deliveries for the set time, and those that wait for longer', async () => {
    const person = await service.human();
    const { id } = await subscribe(person, url);
    const ages = [
      ['29 days', 'delivered'],
      ['31 days', 'delivered'],
      ['31 days', 'pending'],
    ];
    for (const [age, status] of ages) {
      await service.em.execute(
        `insert into webhook_delivery (id, webhook_id, event_type, body, status, next_attempt_at, created_at, ended_at)
         values (gen_random_uuid(), ?, ?, '{}', ?, case when ? = 'pending' then now() end, now() - ?::interval,
           case when ? <> 'pending' then now() end)`,
        [id, `${age} ${status}`, status, status, age, status],
      );
    }
    await forgetWebhookDeliveries(service.em, new Date(Date.now() - service.settings.webhookDeliveriesKeptMs), 100);
    const kept = (await deliveriesOf(person, id)).map(({ event_type }) => event_type);
    expect(kept).toEqual(['29 days delivered', '31 days pending']);
  });
});

describe('the number of webhooks of a user', () => {
  it('is at most 20, also for many requests at once; a deleted one makes room', async () => {
    const person = await service.human();
    const replies = await Promise.all(Array.from({ length: 24 }, () => person.call('POST', webhooks, { url })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = replies.filter(({ status }) => status !== 201);
    for (const one of refused) expect(one).toMatchObject({ status: 409, code: 4093, data: { limit: 20 } });
    const id = replies.find(({ status }) => status === 201)?.data.id as string;
    await person.call('DELETE', `${webhooks}/${id}`);
    await subscribe(person, url);
    expect((await person.call('GET', `${webhooks}?page_size=15&page=2`)).data).toMatchObject({
      total: 20,
      has_more: false,
    });
    await subscribe(await service.human(), url);
  });
});

describe('an address', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost:8080/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://db.internal/',
    'https://user:password@agent.example/',
    'ftp://agent.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//agent.example/',
    'no address',
    `https://agent.example/${'x'.repeat(2_000)}`,
    'https://agent.example/\0',
    '',
  ])('%j is refused, when it is made and when it is changed', async (hostile) => {
    const { id } = await mine();
    for (const reply of [
      await human.call('POST', webhooks, { url: hostile }),
      await human.call('PUT', `${webhooks}/${id}`, { url: hostile }),
    ])
      expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: 'url' }] } });
    expect(await readWebhook(human, id)).toMatchObject({ url });
  });

  let known: { id: string } | null = null;
  async function mine() {
    return (known ??= await subscribe(human, url));
  }
});

describe('what is sent to a webhook’s routes', () => {
  test.each([
    [{ url, event_types: ['transaction.exploded'] }, 'event_types.0'],
    [{ url, event_types: 'transaction.settled' }, 'event_types'],
    [{ url, description: 'x'.repeat(501) }, 'description'],
    [{ url, secret: 'whsec_mine' }, 'secret'],
    [{ url, user_id: randomUUID() }, 'user_id'],
    [{ url, protocol: 'a2a-1.0' }, 'protocol'],
    [{}, 'url'],
  ])('is strict: %j', async (body, path) => {
    const reply = await human.call('POST', webhooks, body);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path }] } });
  });

  test.each([{ status: 'deleted' }, { disabled_reason: 'gone' }, { failing_since: null }])(
    'changes nothing else: %j',
    async (body) => {
      const { id } = await subscribe(await service.human(), url);
      expect((await human.call('PUT', `${webhooks}/${id}`, body)).code).toBe(4000);
    },
  );
});

describe('a key', () => {
  it('that may only read sees webhooks and makes none; one that may sell makes them', async () => {
    const { id } = await subscribe(agent, url);
    const headersOf = async (operations: string[]) => {
      const { apiKey } = await keyOf(service, agent, { operations });
      return { 'x-api-key': apiKey, 'x-platform-user-id': agent.userId, 'idempotency-key': randomUUID() };
    };
    const reading = await headersOf(['read', 'buy']);
    expect((await service.call('GET', `${webhooks}/${id}`, undefined, reading)).code).toBe(0);
    expect(await service.call('POST', webhooks, { url }, reading)).toMatchObject({
      code: 4030,
      data: { operation: 'sell' },
    });
    expect((await service.call('POST', webhooks, { url }, await headersOf(['sell']))).status).toBe(201);
  });

  it('sees those of its user only', async () => {
    const { id } = await subscribe(human, url);
    expect((await agent.call('GET', `${webhooks}/${id}`)).code).toBe(4040);
    const { items } = (await agent.call('GET', `${webhooks}?page_size=100`)).data;
    expect(items.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});
