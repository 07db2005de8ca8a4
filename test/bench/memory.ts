import { readFile } from 'node:fs/promises';

/** Resident memory of a process in KiB. */
export async function residentKibOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}
