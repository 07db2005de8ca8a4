import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSecretKey } from '../../domain/store/secret-key.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marketplace-secret-key-'));
});
afterEach(async () => await rm(dataDir, { recursive: true }));

it('takes the key of the setting, and makes no file then', async () => {
  const secretKey = Buffer.alloc(32, 9).toString('base64');
  expect(await loadSecretKey({ secretKey, dataDir })).toEqual(Buffer.alloc(32, 9));
  expect(await readdir(dataDir)).toEqual([]);
});

it('agrees on one key when many processes start at once, and keeps it for its owner only', async () => {
  const inner = join(dataDir, 'not', 'there', 'yet');
  const keys = await Promise.all(
    Array.from({ length: 10 }, async () => await loadSecretKey({ secretKey: null, dataDir: inner })),
  );
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(await loadSecretKey({ secretKey: null, dataDir: inner })).toEqual(keys[0]);
  expect(await readdir(inner)).toEqual(['secret.key']);
  expect((await stat(join(inner, 'secret.key'))).mode & 0o777).toBe(0o600);
});

it('refuses a file that holds something else', async () => {
  await writeFile(join(dataDir, 'secret.key'), 'short');
  await expect(loadSecretKey({ secretKey: null, dataDir })).rejects.toThrow('must be 32 bytes');
});
