import { describe, expect, it } from 'vitest';
import type { RunningChild } from '../../ops/stack/child.ts';
import { supervise } from '../../ops/stack/supervise.ts';

type FakeChild = RunningChild & { die(how: string): void };

function fakeChild(pid: number): FakeChild {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { name: 'part', pid, exited: promise, die: resolve, stop: async () => resolve('signal SIGTERM') };
}

const quiet = () => undefined;

describe('supervise', () => {
  it('starts a part again that died, and not one that was stopped', async () => {
    const first = fakeChild(1);
    const children = [first, fakeChild(2)];
    const lines = Promise.withResolvers<string>();
    let starts = 0;
    const start = async () => children[starts++] ?? fakeChild(99);
    const part = await supervise('part', start, (line) => line.includes('back') && lines.resolve(line));
    expect(part.pid).toBe(1);

    first.die('signal SIGKILL');
    expect(await lines.promise).toBe('part is back (process 2).');
    expect(part.pid).toBe(2);
    await part.stop();
    expect(starts).toBe(2);
  });

  it('gives up a part that keeps dying, and says why', async () => {
    let starts = 0;
    const start = async () => {
      const child = fakeChild(++starts);
      child.die(`exit code ${starts}`);
      return child;
    };
    const part = await supervise('part', start, quiet, 1);
    expect((await part.failed).message).toBe('part died 5 times within a minute, last: exit code 5');
    await part.stop();
  });

  it('leaves the failure of the first start to the caller', async () => {
    const failing = supervise('part', () => Promise.reject(new Error('no such program')), quiet);
    await expect(failing).rejects.toThrow('no such program');
  });
});
