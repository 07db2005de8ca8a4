import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDir, notePart, readOrMakeSecret } from '../../ops/stack/data-dir.ts';
import { processIdentity } from '../../ops/stack/process-identity.ts';

let dir: string;
const log = () => undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'marketplace-data-dir-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function sleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('no pid');
  return { child, pid: child.pid, exited: once(child, 'exit') };
}

describe('claimDataDir', () => {
  it('refuses a directory that a living process has, naming it, and gives it again once released', async () => {
    const claimed = await claimDataDir(dir, log);
    await expect(claimDataDir(dir, log)).rejects.toThrow(`in use by process ${process.pid}`);
    claimed.release();
    const again = await claimDataDir(dir, log);
    again.release();
  });

  it('takes over from a starter that is gone, and stops what it left running', async () => {
    const orphan = await sleeper();
    const claimed = await claimDataDir(dir, log);
    claimed.release();
    notePart(dir, 'postgres', orphan.pid, 'SIGINT');
    const dead = { pid: process.pid, identity: 'an earlier process', stopSignal: 'SIGTERM' };
    writeFileSync(join(dir, 'run', 'starter.lock'), JSON.stringify(dead));

    const next = await claimDataDir(dir, log);
    await orphan.exited;
    expect(orphan.child.signalCode).toBe('SIGINT');
    next.release();
    expect(readdirSync(join(dir, 'run'))).toEqual([]);
  });

  it('leaves a process alone that only has the same number as a part of before', async () => {
    const stranger = await sleeper();
    const first = await claimDataDir(dir, log);
    first.release();
    const stale = { pid: stranger.pid, identity: 'an earlier process', stopSignal: 'SIGTERM' };
    writeFileSync(join(dir, 'run', 'temporal.pid'), JSON.stringify(stale));

    const next = await claimDataDir(dir, log);
    next.release();
    expect(processIdentity(stranger.pid)).not.toBeNull();
    stranger.child.kill('SIGKILL');
    await stranger.exited;
  });
});

describe('readOrMakeSecret', () => {
  it('makes a secret once, for its owner only', () => {
    const file = join(dir, 'secret');
    expect(readOrMakeSecret(file, () => 'first')).toBe('first');
    expect(readOrMakeSecret(file, () => 'second')).toBe('first');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
