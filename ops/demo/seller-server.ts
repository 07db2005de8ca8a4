import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withDeadline } from '../stack/deadline.ts';

const startLimitMs = 20_000;
const endLimitMs = 10_000;
const askLimitMs = 5_000;
// A program of its own, which the demo knows by its path only.
const file = fileURLToPath(new URL('../../test/seller/seller.ts', import.meta.url));

/** What Sam runs: the program behind his callback addresses. */
export interface SellerServer {
  readonly url: string;
  /** Hands it the secret with which the platform signs the calls of a capability. */
  trust(capabilityId: string, secret: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it on a free port of this machine. It ends with the demo, however that ends. */
export async function startSellerServer(): Promise<SellerServer> {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0' };
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then((): never => {
    throw new Error('The program of the seller ended before it was ready.');
  });
  const told = once(child, 'message') as Promise<[string]>;
  const [url] = await withDeadline('starting the program of the seller', startLimitMs, Promise.race([told, failed]));
  return {
    url,
    async trust(capabilityId, secret) {
      const response = await fetch(`${url}/control/secret`, {
        method: 'POST',
        body: JSON.stringify({ capability_id: capabilityId, callback_secret: secret }),
        signal: AbortSignal.timeout(askLimitMs),
      });
      if (!response.ok) throw new Error(`The program of the seller took no secret: ${await response.text()}`);
    },
    async stop() {
      child.kill('SIGTERM');
      await withDeadline('ending the program of the seller', endLimitMs, exited);
    },
  };
}
