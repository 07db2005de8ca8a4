import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ensureAdmin } from '../../api/auth/bootstrap-admin.ts';
import { publishReport } from '../../ops/demo/cast.ts';
import { Person } from '../../ops/demo/person.ts';
import { Service as Stage } from '../../ops/demo/service.ts';
import { playProtocols } from '../../ops/demo/scene/protocol.ts';
import { startFlakyProxy, type FlakyProxy } from '../client/flaky-proxy.ts';
import { startService, type Service } from '../harness.ts';

const admin = { email: 'admin@example.com', password: 'the password of a test' };

let service: Service;
let proxy: FlakyProxy;
const told: string[] = [];
beforeAll(async () => {
  // The cards of agents name the public address, which has to be known before the service starts.
  proxy = await startFlakyProxy(() => service.url);
  service = await startService({
    PUBLIC_URL: proxy.url,
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: admin.password,
  });
  await ensureAdmin(service.em, service.settings, () => new Date());
});
afterAll(async () => {
  await service.close();
  await proxy.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('buys the same thing by every protocol, shows that each is the same kind of transaction, and balances', async () => {
  vi.spyOn(console, 'log').mockImplementation((line: string = '') => void told.push(line));
  const target = {
    admin,
    temporalAddress: null,
    temporalNamespace: 'marketplace',
    temporalUiUrl: 'http://temporal.test',
  };
  expect(await playProtocols(new Stage(proxy.url, 0), target)).toBe(true);

  const ways = ['REST', 'A2A 0.1', 'A2A 0.3', 'A2A 1.0', 'MCP'];
  const rows = told.flatMap((line) => {
    const [, way, id, workflow, type, status, price] =
      /^\s+(\S+(?: \d\.\d)?)\s+([0-9a-f-]{36})\s+(transaction\/\S+)\s+(\w+)\s+(\w+)\s+([\d.]+)$/.exec(line) ?? [];
    return way === undefined ? [] : [{ way, type, status, price, sameId: workflow === `transaction/${id}`, id }];
  });
  expect(rows).toMatchObject(
    ways.map((way) => ({ way, type: 'per_day', status: 'settled', price: '6.00', sameId: true })),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(ways.length);
  const text = told.join('\n');
  expect(text).toContain('events of each: created, frozen, accepted, delivered, confirmed, settled');
  for (const { id } of rows) expect(text).toContain(`/workflows/transaction%2F${id}`);
  expect(text).toMatch(/Bea \(buyer\) +70\.00 +0\.00 +70\.00\n +Sam \(seller\) +30\.00/);
  await service.ledgerCheck();
});

it('promises the same Idempotency-Key only where one was sent', async () => {
  vi.spyOn(console, 'log').mockImplementation((line: string = '') => void told.push(line));
  told.length = 0;
  const stage = new Stage(proxy.url, 0);
  proxy.next('lose');
  const sam = await Person.register(stage, 'Sam');
  proxy.next('lose');
  await publishReport(sam, '6.00');
  const notes = told.filter((line) => line.includes('trying again'));
  expect(notes).toEqual([
    expect.stringMatching(/^ +POST \/api\/v1\/auth\/register: .* for up to 120 s …$/),
    expect.stringMatching(/^ +POST \/api\/v1\/capabilities: .* for up to 120 s, with the same Idempotency-Key …$/),
  ]);
});

it('speaks each protocol at its own address', () => {
  const posts = new Set(proxy.seen.map(({ line }) => line).filter((line) => line.startsWith('POST')));
  for (const path of ['/api/v1/transactions', '/api/v1/a2a', '/api/v1/a2a/v0', '/mcp'])
    expect(posts).toContain(`POST ${path}`);
  const versions = new Set(
    proxy.seen.filter(({ line }) => line === 'POST /api/v1/a2a').map(({ headers }) => headers['a2a-version'] ?? '0.3'),
  );
  expect(versions).toEqual(new Set(['0.3', '1.0']));
});
