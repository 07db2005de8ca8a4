import { readdir, readFile } from 'node:fs/promises';

/** Kernel ticks a second of /proc on Linux. */
const ticksPerSec = 100;

/** CPU milliseconds that each named process and its children have used so far, running and ended ones alike. */
export async function cpuMsOf(processes: readonly { name: string; pid: number }[]): Promise<Record<string, number>> {
  const all = (await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readStat))).filter(
    (stat) => stat !== null,
  );
  const total = (pid: number): number => {
    const own = all.find((stat) => stat.pid === pid)?.ticks ?? 0;
    return own + all.filter((stat) => stat.parent === pid).reduce((sum, child) => sum + total(child.pid), 0);
  };
  return Object.fromEntries(processes.map(({ name, pid }) => [name, (total(pid) * 1_000) / ticksPerSec]));
}

async function readStat(pid: string): Promise<{ pid: number; parent: number; ticks: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The command stands in brackets and may hold spaces; fields count from behind it: state, ppid, … utime, stime.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { pid: Number(pid), parent: fields[1] ?? 0, ticks: user + system + childUser + childSystem };
}
