import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { messageOf, pollUntil } from './deadline.ts';

/**
 * What tells one run of a pid from the next process that gets the same number: null when no such process lives.
 * On Linux the boot and the start time in ticks, elsewhere what ps says of the start.
 */
export function processIdentity(pid: number): string | null {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

function identityFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may itself hold blanks, so fields count from the last parenthesis; state is field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTicks === undefined) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`;
  } catch {
    return null;
  }
}

function identityFromPs(pid: number): string | null {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
    return started.trim() === '' ? null : started.trim();
  } catch {
    return null;
  }
}

/** The command line of a living process, or an empty text. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return '';
  }
}

/** Ends a process that is not our child: first politely, after the limit by SIGKILL. */
export async function endProcess(pid: number, politeSignal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  const identity = processIdentity(pid);
  if (identity === null) return;
  const gone = async () => {
    if (processIdentity(pid) === identity) throw new Error('still running');
  };
  signalIfAlive(pid, politeSignal);
  try {
    await pollUntil(`end of process ${pid}`, { timeoutMs }, gone);
  } catch {
    signalIfAlive(pid, 'SIGKILL');
    await pollUntil(`end of process ${pid} after SIGKILL`, { timeoutMs: 10_000 }, gone);
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw new Error(`cannot stop process ${pid}: ${messageOf(error)}`, { cause: error });
    }
  }
}
