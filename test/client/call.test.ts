import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  errorCodes,
  marketplaceClient,
  MarketplaceError,
  NoAnswerError,
  type ClientOptions,
  type RetryNotice,
} from '../../api/client/client.ts';
import { errorTable, type ErrorName } from '../../domain/errors.ts';
import { balances, openMarket, publish, type Market } from '../api/purchase.ts';
import { startService, type AgentPerson, type Service } from '../harness.ts';
import { startFlakyProxy, type Fate, type FlakyProxy } from './flaky-proxy.ts';

let service: Service;
let proxy: FlakyProxy;
let agent: AgentPerson;
let market: Market;
let notices: RetryNotice[];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  proxy = await startFlakyProxy(() => service.url);
  agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  notices = [];
});
afterEach(async () => {
  await proxy.close();
});

/** The client of the agent, by way of the connection that breaks. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const credentials = { apiKey: agent.apiKey, userId: agent.userId };
  return marketplaceClient({ baseUrl: proxy.url, credentials, onRetry: (notice) => notices.push(notice), ...options });
}

const purchase = () => ({ body: { capability_id: market.capabilityId } });
/** What the service answers when it is not to be asked again before then. */
function refusal(name: ErrorName, retryAfterSec: number): Fate {
  const { code, httpStatus: status, text: message } = errorTable[name];
  const headers = { 'content-type': 'application/json', 'retry-after': String(retryAfterSec) };
  return { status, headers, body: JSON.stringify({ code, message, data: null, timestamp: 0 }) };
}

const keysSeen = () => proxy.seen.map(({ headers }) => headers['idempotency-key']);

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('an answer', () => {
  it('is the data of the envelope, of whoever asks', async () => {
    expect(await clientOf().get('/api/v1/wallet')).toMatchObject({ user_id: agent.userId, available_ut: '100.00' });
    const nobody = marketplaceClient({ baseUrl: `${proxy.url}/` });
    expect((await nobody.get('/api/v1/categories')).map(({ code }) => code)).toContain('data');
  });

  it('that is a refusal is thrown with all that a program needs', async () => {
    const { id } = await clientOf().post('/api/v1/transactions', purchase());
    const path = { tx_id: id };
    const error = await thrownBy(clientOf().post('/api/v1/transactions/{tx_id}/confirm', { path }));
    expect(error).toBeInstanceOf(MarketplaceError);
    expect(error).toMatchObject({
      code: errorCodes.invalid_state,
      errorName: 'invalid_state',
      httpStatus: 409,
      data: { status: 'pending' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      idempotencyKey: keysSeen().at(-1),
    });
    expect(proxy.seen).toHaveLength(2);
  });

  it('that is a refusal of the kind of caller is named by what the caller is', async () => {
    const error = await thrownBy(clientOf().get('/api/v1/auth/me'));
    expect(error).toMatchObject({ code: 4032, errorName: 'human_only' });
    const accessToken = ((await market.seller.headers())['authorization'] ?? '').replace('Bearer ', '');
    const human = marketplaceClient({ baseUrl: proxy.url, credentials: { accessToken } });
    const path = { cap_id: market.capabilityId };
    const other = await thrownBy(human.post('/api/v1/capabilities/{cap_id}/invoke', { path, body: {} }));
    expect(other).toMatchObject({ code: 4032, errorName: 'agent_only' });
  });

  it('that waits for a person is a signal with data, and no success', async () => {
    const started = await clientOf().post('/api/v1/auth/device-auth', { body: { agent_platform_type: 'custom_mcp' } });
    const { device_code } = started;
    const error = await thrownBy(clientOf().post('/api/v1/auth/device-auth/poll', { body: { device_code } }));
    expect(error).toMatchObject({ errorName: 'authorization_pending', httpStatus: 200, data: { status: 'pending' } });
  });

  it('comes with what the headers tell', async () => {
    const idempotencyKey = randomUUID();
    const first = await clientOf().send('post', '/api/v1/transactions', { ...purchase(), idempotencyKey });
    const again = await clientOf().send('post', '/api/v1/transactions', { ...purchase(), idempotencyKey });
    expect([first.httpStatus, first.replayed, again.replayed]).toEqual([201, false, true]);
    expect(again.data.id).toBe(first.data.id);
    expect(again.requestId).not.toBe(first.requestId);
  });

  it('of a list is read page after page', async () => {
    const titles = Array.from({ length: 5 }, (_, index) => `Listed ${index}`);
    for (const title of titles) await publish(market.seller, { title });
    const { userId: agent_id } = market.seller;
    const found: string[] = [];
    const query = { agent_id, page_size: 2, sort: 'newest' } as const;
    for await (const { title } of clientOf().items('/api/v1/capabilities', { query })) found.push(title);
    expect(found).toEqual([...titles.toReversed(), 'Weather data']);
    expect(proxy.seen).toHaveLength(3);
  });
});

describe('a write', () => {
  it('has a key of its own, which its retries keep: what was carried out and not heard of happens once', async () => {
    proxy.next('cut', 'lose', { status: 502, body: '<html>bad gateway</html>' });
    const { id, status } = await clientOf().post('/api/v1/transactions', purchase());
    expect(status).toBe('pending');
    expect(notices.map(({ error }) => error.name)).toEqual(['NoAnswerError', 'NoAnswerError', 'NoAnswerError']);
    expect(new Set(keysSeen()).size).toBe(1);
    proxy.next('cut');
    await clientOf().post('/api/v1/transactions/{tx_id}/freeze', { path: { tx_id: id } });
    expect(new Set(keysSeen()).size).toBe(2);
    expect((await agent.call('GET', '/api/v1/transactions')).data.total).toBe(1);
    expect(await balances(market)).toEqual({ buyer: '90.00', frozen: '10.00', seller: '0.00' });
  });

  it('has the key that its body carries, and is refused where its caller names another as well', async () => {
    const idempotency_key = randomUUID();
    const body = { ...purchase().body, idempotency_key };
    const first = await clientOf().send('post', '/api/v1/transactions', { body });
    const again = await clientOf().send('post', '/api/v1/transactions', { body });
    expect(keysSeen()).toEqual([idempotency_key, idempotency_key]);
    expect([first.replayed, again.replayed, again.data.id]).toEqual([false, true, first.data.id]);
    const other = clientOf().post('/api/v1/transactions', { body, idempotencyKey: randomUUID() });
    expect(await thrownBy(other)).toMatchObject({ errorName: 'validation_failed' });
    expect((await agent.call('GET', '/api/v1/transactions')).data.total).toBe(1);
  });

  it('waits as long as the service asks, and takes a first try that is still running for a passing state', async () => {
    proxy.next(refusal('unavailable', 1), refusal('idempotency_key_in_use', 0));
    const { attempts } = await clientOf().send('post', '/api/v1/transactions', purchase());
    expect(attempts).toBe(3);
    expect(notices.map(({ error }) => (error as MarketplaceError).errorName)).toEqual([
      'unavailable',
      'idempotency_key_in_use',
    ]);
    expect(notices[0]?.waitMs).toBe(1_000);
    expect(new Set(keysSeen()).size).toBe(1);
  });

  it('is not tried again for a limit that lasts longer than the client is patient', async () => {
    proxy.next(refusal('daily_limit_reached', 3_600));
    const error = await thrownBy(clientOf().post('/api/v1/transactions', purchase()));
    expect(error).toMatchObject({ errorName: 'daily_limit_reached', retryAfterMs: 3_600_000 });
    expect(proxy.seen).toHaveLength(1);
  });

  it('that a seller did not answer is final', async () => {
    // Nobody listens there.
    const callback_url = 'http://127.0.0.1:9/callback';
    const cap_id = await publish(market.seller, { callback_url, callback_timeout_sec: 5 });
    const invoke = clientOf().post('/api/v1/capabilities/{cap_id}/invoke', { path: { cap_id }, body: { input: {} } });
    const error = (await thrownBy(invoke)) as MarketplaceError;
    expect(['callback_failed', 'callback_timeout']).toContain(error.errorName);
    expect(proxy.seen).toHaveLength(1);
    expect(await balances(market)).toMatchObject({ buyer: '100.00', frozen: '0.00' });
  });

  it('ends within its bounds of number and time, and says which key to try with later', async () => {
    proxy.next('lose', 'lose', 'lose');
    const few = clientOf({ retry: { attemptsMax: 3 } });
    const error = await thrownBy(few.post('/api/v1/transactions', purchase()));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(proxy.seen).toHaveLength(3);
    const { idempotencyKey } = error as NoAnswerError;
    expect(idempotencyKey).toBe(keysSeen()[0]);
    proxy.next('lose', 'lose');
    await thrownBy(clientOf({ retry: { forMs: 0 } }).post('/api/v1/transactions', purchase()));
    expect(proxy.seen).toHaveLength(4);
  });

  it('that hangs is given up after its time, and ends at once when its caller has enough', async () => {
    proxy.next('hang');
    const { attempts } = await clientOf().send('post', '/api/v1/transactions', { ...purchase(), timeoutMs: 300 });
    expect(attempts).toBe(2);
    proxy.next('hang');
    const enough = new AbortController();
    const work = thrownBy(clientOf().post('/api/v1/transactions', { ...purchase(), signal: enough.signal }));
    await expect.poll(() => proxy.seen.length).toBe(3);
    enough.abort(new Error('enough'));
    expect(await work).toMatchObject({ message: 'enough' });
    expect(proxy.seen).toHaveLength(3);
  });

  it('that has no idempotency is sent once and without a key, unless its caller says that it may be sent again', async () => {
    const body = { email: `ada-${randomUUID()}@example.com`, password: randomUUID(), display_name: 'Ada' };
    proxy.next('cut');
    const lost = await thrownBy(clientOf().post('/api/v1/auth/register', { body, idempotencyKey: randomUUID() }));
    expect(lost).toBeInstanceOf(NoAnswerError);
    expect(lost).toMatchObject({ idempotencyKey: null });
    expect(keysSeen()).toEqual([undefined]);
    proxy.next('cut');
    const again = await thrownBy(clientOf().post('/api/v1/auth/register', { body, repeatable: true }));
    expect(again).toMatchObject({ errorName: 'conflict' });
    expect(proxy.seen).toHaveLength(3);
  });
});

describe('a request', () => {
  it('takes no key to another place, and no path to another operation', async () => {
    proxy.next({ status: 307, headers: { location: `${service.url}/api/v1/wallet` }, body: '' });
    const once = clientOf({ retry: { forMs: 0 } });
    expect(await thrownBy(once.get('/api/v1/wallet'))).toBeInstanceOf(NoAnswerError);
    const path = { tx_id: '..' };
    expect(await thrownBy(once.post('/api/v1/transactions/{tx_id}/freeze', { path }))).toBeInstanceOf(TypeError);
    expect(proxy.seen).toHaveLength(1);
    expect(() => marketplaceClient({ baseUrl: 'file:///etc' })).toThrow(TypeError);
  });
});
