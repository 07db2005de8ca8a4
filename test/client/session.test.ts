import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { marketplaceClient, type Schemas } from '../../api/client/client.ts';
import { startService, type Service } from '../harness.ts';
import { startFlakyProxy, type FlakyProxy } from './flaky-proxy.ts';

let service: Service;
let proxy: FlakyProxy;
let session: Schemas['Session'];
let renewed: Schemas['Session'][];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  proxy = await startFlakyProxy(() => service.url);
  session = await expiredSession();
  renewed = [];
});
afterEach(async () => {
  await proxy.close();
});

/** A session whose refresh token is good and whose access token was of yesterday. */
async function expiredSession(): Promise<Schemas['Session']> {
  const nobody = marketplaceClient({ baseUrl: service.url });
  const body = { email: `ada-${randomUUID()}@example.com`, password: randomUUID() };
  await nobody.post('/api/v1/auth/register', { body: { ...body, display_name: 'Ada' } });
  const fresh = await nobody.post('/api/v1/auth/login', { body });
  const { id, roles } = fresh.user;
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  return { ...fresh, access_token: await service.secrets.accessTokens.sign({ id, roles }, yesterday) };
}

const clientOf = () =>
  marketplaceClient({
    baseUrl: proxy.url,
    credentials: { session, onSession: (next) => renewed.push(next) },
  });
const refreshes = () => proxy.seen.filter(({ line }) => line === 'POST /api/v1/auth/refresh').length;

it('renews itself once for all calls that found it expired, and tells of the next', async () => {
  const market = clientOf();
  const wallets = await Promise.all([1, 2, 3].map(() => market.get('/api/v1/wallet')));
  expect(wallets.map(({ user_id }) => user_id)).toEqual(Array.from({ length: 3 }, () => session.user.id));
  expect(refreshes()).toBe(1);
  expect(renewed).toHaveLength(1);
  expect(renewed[0]?.refresh_token).not.toBe(session.refresh_token);
  await market.get('/api/v1/wallet');
  expect(refreshes()).toBe(1);
});

it('keeps the key of a write that found it expired', async () => {
  const body = {
    title: 'Weather data',
    description: 'Hourly weather of any place',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_day',
  } as const;
  const { price_ut } = await clientOf().post('/api/v1/capabilities', { body });
  expect(price_ut).toBe('0.00');
  const writes = proxy.seen.filter(({ line }) => line === 'POST /api/v1/capabilities');
  expect(writes).toHaveLength(2);
  expect(new Set(writes.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

it('opens a stream that found it expired', async () => {
  const ended = new AbortController();
  const market = clientOf();
  const id = randomUUID();
  const stream = market.transactionEvents(id, { signal: ended.signal });
  await expect(stream.next()).rejects.toMatchObject({ errorName: 'not_found' });
  expect(refreshes()).toBe(1);
});

it.for(['call', 'stream'])('does not hold a %s that its caller ends, nor ends with it', async (kind) => {
  const market = clientOf();
  const enough = new AbortController();
  const { signal } = enough;
  proxy.next('pass', 'hang');
  const work = kind === 'call' ? market.get('/api/v1/wallet', { signal }) : market.events({ signal }).next();
  // Listened to from the start, so that its end is nobody's surprise.
  const ended = work.catch((error: unknown) => error);
  await expect.poll(refreshes).toBe(1);
  const other = market.get('/api/v1/wallet');
  enough.abort(new Error('enough'));
  expect(await ended).toMatchObject({ message: 'enough' });
  expect(refreshes()).toBe(1);
  proxy.breakAll();
  expect((await other).user_id).toBe(session.user.id);
  expect(renewed).toHaveLength(1);
});

it('is over where its refresh token is', async () => {
  await marketplaceClient({ baseUrl: service.url }).post('/api/v1/auth/logout', {
    body: { refresh_token: session.refresh_token },
  });
  await expect(clientOf().get('/api/v1/wallet')).rejects.toMatchObject({ code: 4010 });
  expect(renewed).toEqual([]);
});
