import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activeCallbackSecrets, callbackSecretPurpose } from '../../domain/store/callback-secret.store.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { offer, register } from './capability-offer.ts';

const hourMs = 3_600_000;
const path = '/api/v1/capabilities';
const callback_url = 'https://seller.example/callback';
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;

let service: Service;
let agent: Person;
let human: Person;

beforeAll(async () => {
  service = await startService({ CALLBACK_SECRET_OVERLAP: '1h' });
  agent = await service.agent('seller');
  human = await service.human('seller');
});
afterAll(async () => await service.close());

const rotate = (person: Person, id: string, body?: unknown, headers?: Record<string, string>) =>
  person.call('POST', `${path}/${id}/rotate-secret`, body, headers);

/** The secrets that sign at a moment, opened. */
async function signing(id: string, at = new Date()): Promise<string[]> {
  const sealed = await activeCallbackSecrets(service.em, id, at);
  return sealed.map((one) => service.secrets.decrypt(one, callbackSecretPurpose(id)));
}

async function storedAnswer(key: string): Promise<string> {
  const [row] = await service.em.execute<[{ body: string }]>(
    'select body::text as body from idempotency_record where key = ?',
    [key],
  );
  return row.body;
}

describe('the signing secret of a callback', () => {
  test('is shown to whoever registers a capability with an address, and signs by Standard Webhooks', async () => {
    for (const owner of [agent, human]) {
      const { id, callback_secret } = await register(owner, { callback_url });
      expect(callback_secret).toMatch(secretForm);
      expect(await signing(id)).toEqual([callback_secret]);
      const webhook = new Webhook(String(callback_secret));
      const now = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, now, '{}'),
      };
      expect(webhook.verify('{}', headers)).toEqual({});
    }
  });

  test('is another for each capability, and none without an address', async () => {
    const [one, other] = [await register(agent, { callback_url }), await register(agent, { callback_url })];
    expect(one['callback_secret']).not.toBe(other['callback_secret']);
    const bare = await register(agent);
    expect(bare['callback_secret']).toBeNull();
    expect(await signing(bare.id)).toEqual([]);
  });

  test('is shown for each item of a batch that has an address', async () => {
    const items = [
      { ...offer, callback_url },
      offer,
      { ...offer, callback_url, title: '' },
      { ...offer, callback_url },
    ];
    const { data } = await agent.call('POST', `${path}/batch`, { items });
    expect(data).toMatchObject({ succeeded: 3, failed: 1 });
    const [first, bare, , last] = data.results.map((result: { data?: unknown }) => result.data);
    expect(bare.callback_secret).toBeNull();
    for (const one of [first, last]) {
      expect(one.callback_secret).toMatch(secretForm);
      expect(await signing(one.id)).toEqual([one.callback_secret]);
    }
    expect(first.callback_secret).not.toBe(last.callback_secret);
  });

  test('is made by the change that sets the first address, and kept by later ones', async () => {
    const { id } = await register(agent);
    const put = async (changes: object) => (await agent.call('PUT', `${path}/${id}`, changes)).data.callback_secret;
    expect(await put({ title: 'Without an address' })).toBeNull();
    const secret = await put({ callback_url });
    expect(secret).toMatch(secretForm);
    expect(await put({ callback_url: 'https://seller.example/other' })).toBeNull();
    expect(await put({ callback_url: null })).toBeNull();
    expect(await put({ callback_url })).toBeNull();
    expect(await signing(id)).toEqual([secret]);
  });

  test('is made once by two changes at once', async () => {
    const { id } = await register(agent);
    const replies = await Promise.all([1, 2, 3, 4].map(() => agent.call('PUT', `${path}/${id}`, { callback_url })));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    const shown = replies.flatMap((reply) => reply.data.callback_secret ?? []);
    expect(shown).toHaveLength(1);
    expect(await signing(id)).toEqual(shown);
  });

  test('is not made by a change that is refused', async () => {
    const { id } = await register(agent);
    const refused = await agent.call('PUT', `${path}/${id}`, { callback_url: 'ftp://seller.example/' });
    expect(refused).toMatchObject({ status: 422, code: 4000 });
    expect(await signing(id)).toEqual([]);
  });

  test('is in no reading and no list, not even the owner’s', async () => {
    const { id, callback_secret } = await register(agent, { callback_url, title: 'Never listed' });
    for (const person of [agent, human]) {
      for (const address of [`${path}/${id}`, `${path}?agent_id=${agent.userId}`, `${path}/${id}/deliveries`]) {
        const { text } = await person.call('GET', address);
        expect(text).not.toContain('whsec_');
        expect(text).not.toContain('callback_secret');
        expect(text).not.toContain(callback_secret);
      }
    }
  });

  test('is null in every replay, and in no stored answer', async () => {
    const items = [{ ...offer, callback_url }];
    const [plain, fresh] = [await register(agent), await register(agent, { callback_url })];
    for (const [method, address, body] of [
      ['POST', path, { ...offer, callback_url }],
      ['POST', `${path}/batch`, { items }],
      ['PUT', `${path}/${plain.id}`, { callback_url }],
      ['POST', `${path}/${fresh.id}/rotate-secret`, undefined],
    ] as const) {
      const key = randomUUID();
      const first = await agent.call(method, address, body, { 'idempotency-key': key });
      expect(first.text).toContain('whsec_');
      expect(await storedAnswer(key)).not.toContain('whsec_');
      const again = await agent.call(method, address, body, { 'idempotency-key': key });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.text).not.toContain('whsec_');
      expect(again.text).toContain('"callback_secret":null');
      const hidden = JSON.stringify(first.data).replaceAll(/"whsec_[^"]+"/g, 'null');
      expect(again.data).toEqual(JSON.parse(hidden));
    }
  });

  test('is sealed at rest, for its capability only', async () => {
    const { id, callback_secret } = await register(agent, { callback_url });
    const [sealed] = await activeCallbackSecrets(service.em, id, new Date());
    if (sealed === undefined) throw new Error('no secret is stored');
    const secret = String(callback_secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(sealed.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
    expect(service.secrets.decrypt(sealed, `callback-secret/${id}`)).toBe(secret);
    expect(() => service.secrets.decrypt(sealed, callbackSecretPurpose(randomUUID()))).toThrow(/authenticate/);
  });
});

describe('rotating the secret', () => {
  test('shows a new one, and the previous one signs until it expires', async () => {
    for (const owner of [agent, human]) {
      const { id, callback_secret: first } = await register(owner, { callback_url });
      const before = Date.now();
      const { status, data } = await rotate(owner, id);
      expect({ status, data }).toEqual({
        status: 200,
        data: {
          capability_id: id,
          callback_secret: expect.stringMatching(secretForm),
          previous_expires_at: expect.any(String),
        },
      });
      expect(data.callback_secret).not.toBe(first);
      const expiresAt = Date.parse(data.previous_expires_at);
      expect(expiresAt).toBeGreaterThanOrEqual(before + hourMs);
      expect(expiresAt).toBeLessThanOrEqual(Date.now() + hourMs);
      expect(await signing(id)).toEqual([data.callback_secret, first]);
      expect(await signing(id, new Date(expiresAt - 1))).toEqual([data.callback_secret, first]);
      expect(await signing(id, new Date(expiresAt))).toEqual([data.callback_secret]);
    }
  });

  test('keeps older ones to their own expiry, and at most three beside the current one', async () => {
    const { id, callback_secret: first } = await register(agent, { callback_url });
    const second = (await rotate(agent, id)).data;
    await service.em.execute(
      `update callback_secret set expires_at = expires_at - interval '30 minutes'
       where capability_id = ? and expires_at is not null`,
      [id],
    );
    const third = (await rotate(agent, id)).data;
    expect(await signing(id)).toEqual([third.callback_secret, second.callback_secret, first]);
    const halfway = new Date(Date.parse(third.previous_expires_at) - 1);
    expect(await signing(id, halfway)).toEqual([third.callback_secret, second.callback_secret]);
    const [fourth, fifth] = [(await rotate(agent, id)).data, (await rotate(agent, id)).data];
    const rotated = [fifth, fourth, third, second].map((one) => one.callback_secret);
    expect(await signing(id)).toEqual(rotated);
    expect(await storedSecrets(id)).toBe(4);
  });

  test('leaves no secret at rest that has ended', async () => {
    const { id } = await register(agent, { callback_url });
    await rotate(agent, id);
    await service.em.execute(
      `update callback_secret set expires_at = now() - interval '1 second'
       where capability_id = ? and expires_at is not null`,
      [id],
    );
    expect(await signing(id)).toHaveLength(1);
    await rotate(agent, id);
    expect(await storedSecrets(id)).toBe(2);
  });

  test('immediately ends every earlier one at once', async () => {
    const { id } = await register(agent, { callback_url });
    await rotate(agent, id);
    const before = Date.now();
    const { data } = await rotate(agent, id, { immediately: true });
    expect(await signing(id, new Date(before))).toEqual([data.callback_secret]);
    expect(Date.parse(data.previous_expires_at)).toBeLessThanOrEqual(Date.now());
    expect(await storedSecrets(id)).toBe(1);
    expect((await rotate(agent, id, { immediately: false })).data.previous_expires_at).toBeTruthy();
    expect(await signing(id)).toHaveLength(2);
  });

  test('many at once come one after the other, and one is current', async () => {
    const { id } = await register(agent, { callback_url });
    const replies = await Promise.all(Array.from({ length: 6 }, () => rotate(agent, id)));
    expect(replies.map((reply) => reply.code)).toEqual([0, 0, 0, 0, 0, 0]);
    const shown = replies.map((reply) => reply.data.callback_secret);
    expect(new Set(shown).size).toBe(6);
    const active = await signing(id);
    expect(active).toHaveLength(4);
    expect(active.filter((one) => !shown.includes(one))).toEqual([]);
    const later = new Date(Date.now() + 2 * hourMs);
    expect(await signing(id, later)).toEqual(active.slice(0, 1));
  });

  test('is the owner’s, of a capability that is there', async () => {
    const { id, callback_secret } = await register(agent, { callback_url });
    expect(await rotate(human, id)).toMatchObject({ status: 403, code: 4030 });
    expect(await service.call('POST', `${path}/${id}/rotate-secret`)).toMatchObject({ status: 401, code: 4010 });
    expect(await rotate(human, randomUUID())).toMatchObject({ status: 404, code: 4040 });
    expect(await signing(id)).toEqual([callback_secret]);
    await agent.call('DELETE', `${path}/${id}`);
    expect(await rotate(agent, id)).toMatchObject({ status: 404, code: 4040 });
  });

  test('without an address is a conflict that says what to do; without a secret it makes the first', async () => {
    const bare = await register(agent);
    const refused = await rotate(agent, bare.id);
    expect(refused).toMatchObject({ status: 409, code: 4093, message: expect.stringContaining('callback_url') });
    expect(await signing(bare.id)).toEqual([]);
    const { id } = await register(agent, { callback_url });
    await service.em.execute('delete from callback_secret where capability_id = ?', [id]);
    const { data } = await rotate(agent, id);
    expect(data.previous_expires_at).toBeNull();
    expect(await signing(id)).toEqual([data.callback_secret]);
  });

  test.each([
    [{ immediatly: true }, 'immediatly'],
    [{ immediately: 'true' }, 'immediately'],
    [{ secret: 'whsec_own' }, 'secret'],
  ])('refuses the body %j', async (body, field) => {
    const { id, callback_secret } = await register(agent, { callback_url });
    const reply = await rotate(agent, id, body);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: field }] } });
    expect(await signing(id)).toEqual([callback_secret]);
  });
});

async function storedSecrets(id: string): Promise<number> {
  const [row] = await service.em.execute<[{ count: number }]>(
    'select count(*)::integer as count from callback_secret where capability_id = ?',
    [id],
  );
  return row.count;
}
