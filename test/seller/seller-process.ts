import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Call, CallFilter, TransactionTally } from './call-log.ts';

const startLimitMs = 20_000;
const endLimitMs = 10_000;
const controlLimitMs = 10_000;
const file = fileURLToPath(new URL('seller.ts', import.meta.url));
const living = new Set<ChildProcess>();
// A test runner that ends early must not leave processes behind.
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A seller in a process of its own. */
export interface SellerProcess {
  readonly url: string;
  readonly pid: number;
  /** Tells it one secret more of a capability. */
  trust(capabilityId: string, secret: string): Promise<void>;
  /** The calls it saw, oldest first. */
  calls(filter?: CallFilter): Promise<readonly Call[]>;
  /** How many calls of a transaction it answered for good: 2xx to 4xx, to the end. */
  answerCount(transactionId: string): Promise<number>;
  /** Forgets the calls, not the secrets. */
  forget(): Promise<void>;
  /** SIGTERM. Comes back when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL. Comes back when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a seller on a free port of this machine. */
export async function startSeller(): Promise<SellerProcess> {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0' };
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  living.add(child);
  child.once('exit', () => living.delete(child));
  const url = await urlOf(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('the seller has no process');
  return {
    url,
    pid,
    async trust(capabilityId, secret) {
      await ask(url, 'POST', 'secret', { capability_id: capabilityId, callback_secret: secret });
    },
    async calls({ transactionId = null, capabilityId = null } = {}) {
      const query = new URLSearchParams();
      if (transactionId !== null) query.set('transaction_id', transactionId);
      if (capabilityId !== null) query.set('capability_id', capabilityId);
      return ((await ask(url, 'GET', `call?${query.toString()}`)) as { items: readonly Call[] }).items;
    },
    async answerCount(transactionId) {
      return ((await ask(url, 'GET', `transaction/${transactionId}`)) as TransactionTally).answer_count;
    },
    async forget() {
      await ask(url, 'DELETE', 'call');
    },
    stop: async () => await end(child, 'SIGTERM'),
    kill: async () => await end(child, 'SIGKILL'),
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error('the seller ended before it was ready'));
  child.once('exit', onExit);
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(startLimitMs)]);
  const [url] = (await once(child, 'message', { signal })) as [string];
  child.off('exit', onExit);
  return url;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(endLimitMs) });
  child.kill(signal);
  await exited;
}

async function ask(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(controlLimitMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /control/${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as unknown;
}
