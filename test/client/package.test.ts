import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { marketplaceClient } from '../../api/client/client.ts';
import { openMarket, publish } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';

const run = promisify(execFile);
// npm and the compiler are slow where others work beside them.
const limitMs = 120_000;
const sources = 'api/client';

let service: Service;
let place: string;
let consumer: string;
beforeAll(async () => {
  service = await startService();
  place = await mkdtemp(join(tmpdir(), 'marketplace-client-'));
  consumer = join(place, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
  await npm(sources, 'pack', '--pack-destination', place);
  // What it depends on comes out of our own installation, so that no registry is asked.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await npm(join('node_modules', name), 'pack', '--ignore-scripts', '--pack-destination', place);
  }
  const packed = (await readdir(place)).filter((name) => name.endsWith('.tgz')).map((name) => join(place, name));
  await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', ...packed);
}, limitMs);
afterAll(async () => {
  await service.close();
  await rm(place, { recursive: true, force: true });
});

async function npm(cwd: string, ...args: string[]): Promise<void> {
  await run('npm', args, { cwd, timeout: limitMs });
}

const pathOf = (root: string) => (entry: Dirent) => relative(root, join(entry.parentPath, entry.name));

it('has what it needs and nothing else', async () => {
  const installed = join(consumer, 'node_modules/@marketplace/client');
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(pathOf(installed));
  const parts = await readdir(sources, { withFileTypes: true });
  const generated = await readdir(join(sources, 'generated'), { withFileTypes: true });
  const compiled = [...parts, ...generated].map(pathOf(sources)).filter((file) => file.endsWith('.ts'));
  const built = compiled
    .map((file) => `dist/${file.replace(/\.ts$/, '')}`)
    .flatMap((file) => [`${file}.js`, `${file}.d.ts`]);
  expect(files.toSorted()).toEqual([...built, 'README.md', 'example/buy.mjs', 'package.json'].toSorted());
});

it(
  'is well typed for the strictest consumer, by both compilers',
  async () => {
    const program = await readFile('test/client/consumer.ts', 'utf8');
    const installed = program.replace('../../api/client/client.ts', '@marketplace/client');
    await writeFile(join(consumer, 'consumer.ts'), installed);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    };
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    for (const modules of ['node_modules', `${sources}/node_modules`]) {
      const compiler = join(modules, 'typescript/bin/tsc');
      const found = await run(process.execPath, [compiler, '-p', consumer], { timeout: limitMs }).catch(
        (error: unknown) => error as { stdout: string },
      );
      expect({ compiler, errors: found.stdout }).toEqual({ compiler, errors: '' });
    }
  },
  limitMs,
);

it('runs its example as plain JavaScript: a purchase, followed to its settlement', async () => {
  const { seller, capabilityId, agent } = await openShop();
  const selling = sell(seller, agent.userId);
  const { API_KEY, USER_ID } = { API_KEY: agent.apiKey, USER_ID: agent.userId };
  const file = join(consumer, 'node_modules/@marketplace/client/example/buy.mjs');
  const { stdout } = await run(process.execPath, [file, capabilityId], {
    cwd: consumer,
    env: { ...process.env, BASE_URL: service.url, API_KEY, USER_ID },
    timeout: 20_000,
  });
  await selling;
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^bought “Weather data” for 10.00 UT: [0-9a-f-]{36}$/);
  expect(
    lines.filter((line) => line.startsWith('event')).map((line) => / transaction\.(\w+),/.exec(line)?.[1]),
  ).toEqual(['created', 'frozen', 'accepted', 'delivered', 'confirmed', 'settled']);
  expect(lines).toContain('delivered: {"rain":3}');
  expect(lines.at(-1)).toBe('settled; 90.00 UT left');
  await service.ledgerCheck();
});

it('says in its example what a refusal is about', async () => {
  const { agent, seller } = await openShop();
  const dear = await publish(seller, { price_ut: '1000' });
  const file = join(consumer, 'node_modules/@marketplace/client/example/buy.mjs');
  const env = { ...process.env, BASE_URL: service.url, API_KEY: agent.apiKey, USER_ID: agent.userId };
  const failed = run(process.execPath, [file, dear], { cwd: consumer, env, timeout: 20_000 });
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/code 4020: .* You have 100\.00 UT\. \(insufficient_balance, request /),
  });
});

async function openShop() {
  const agent = await service.agent();
  await service.credit(agent, '100');
  const { seller, capabilityId } = await openMarket(service);
  return { agent, seller, capabilityId };
}

/** The seller accepts and delivers what the buyer freezes. */
async function sell(seller: Awaited<ReturnType<typeof openShop>>['seller'], buyerId: string): Promise<void> {
  const accessToken = (await seller.headers())['authorization']?.replace('Bearer ', '') ?? '';
  const market = marketplaceClient({ baseUrl: service.url, credentials: { accessToken } });
  const bought = async () => {
    const { items } = await market.get('/api/v1/transactions', { query: { role: 'seller' } });
    return items.find((one) => one.buyer_user_id === buyerId)?.id;
  };
  await expect.poll(bought, { timeout: 20_000 }).toBeDefined();
  const tx_id = (await bought()) ?? '';
  const path = { tx_id };
  for await (const { data } of market.transactionEvents(tx_id)) {
    const { status } = data.data;
    if (status === 'frozen') await market.post('/api/v1/transactions/{tx_id}/accept', { path });
    if (status === 'accepted')
      await market.post('/api/v1/transactions/{tx_id}/deliver', { path, body: { result_payload: { rain: 3 } } });
  }
}
