import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../settings.ts';

const keyBytes = 32;

/** The key of SECRET_KEY, or the one made once in `<dataDir>/secret.key`. */
export async function loadSecretKey({ secretKey, dataDir }: Pick<Settings, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (secretKey !== null) return decodeKey(secretKey, 'SECRET_KEY');
  const path = join(dataDir, 'secret.key');
  return decodeKey((await readKeyFile(path)) ?? (await makeKeyFile(dataDir, path)), path);
}

async function readKeyFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Linking a file that is already written is exclusive and whole: of two processes one wins, and none reads half a key. */
async function makeKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return await readFile(path, 'utf8');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function decodeKey(text: string, source: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) throw new Error(`${source} must be ${keyBytes} bytes in base64`);
  return key;
}
