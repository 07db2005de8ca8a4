import { parseArgs } from 'node:util';
import { messageOf } from '../stack/deadline.ts';
import { gatherCast } from './cast.ts';
import { playAutoConfirm } from './scene/auto-confirm.ts';
import { playDevice } from './scene/device.ts';
import { playDispute } from './scene/dispute.ts';
import { playInvocation } from './scene/invocation.ts';
import { playPurchase } from './scene/purchase.ts';
import { playProtocols } from './scene/protocol.ts';
import { playReckoning } from './scene/reckoning.ts';
import { playRejection } from './scene/rejection.ts';
import { Service } from './service.ts';
import { findTarget } from './target.ts';

/**
 * `npm run demo`: the lives of seven transactions, four bought and three called, played over HTTP against a running
 * service (`BASE_URL`), with `DEMO_PAUSE_MS` before each write for those who want to follow or to break something
 * meanwhile. It goes on when the API, the worker or Temporal is killed in the middle and comes back. Exit code 1: not
 * reachable, something did not go as it must, or the books do not balance.
 *
 * `npm run demo -- --device`: instead, an agent asks for a key by a code, waits until somebody approves it in a browser,
 * and buys with it; `--approve` plays that person too.
 *
 * `npm run demo -- --agents`: instead, agents buy the same thing by REST, A2A 0.1, 0.3 and 1.0, and MCP.
 */
const reachWithinMs = 5_000;

try {
  process.exitCode = await play();
} catch (error) {
  console.error(`\n${messageOf(error)}`);
  process.exitCode = 1;
}

async function play(): Promise<number> {
  const baseUrl = (process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`).replace(/\/+$/, '');
  const pauseMs = Number(process.env['DEMO_PAUSE_MS'] ?? 0);
  await reach(baseUrl);
  const target = await findTarget(process.env);
  console.log(`The marketplace at ${baseUrl} is there.`);
  const service = new Service(baseUrl, pauseMs);
  const { agents, device, approve } = parseArgs({
    options: { agents: { type: 'boolean' }, device: { type: 'boolean' }, approve: { type: 'boolean' } },
  }).values;
  if (device === true) {
    await playDevice(service, target, approve === true);
    return 0;
  }
  if (agents === true) return exitCodeOf(await playProtocols(service, target));
  const cast = await gatherCast(service, target);
  await playPurchase(cast);
  await playRejection(cast);
  await playAutoConfirm(cast);
  await playDispute(cast);
  await playInvocation(cast);
  return exitCodeOf(await playReckoning(cast));
}

function exitCodeOf(isSound: boolean): number {
  console.log(isSound ? '\nThe ledger is in balance.' : '\nThe ledger is NOT in balance.');
  return isSound ? 0 : 1;
}

/** Any answer will do: a service that is up but waits for Temporal is worth the demo's patience. */
async function reach(baseUrl: string): Promise<void> {
  try {
    await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(reachWithinMs) });
  } catch (error) {
    throw new Error(
      `The service is not reachable at ${baseUrl} (${messageOf(error instanceof Error ? (error.cause ?? error) : error)}).\n` +
        'Run npm start first, in another terminal, and leave it running; or set BASE_URL to where it runs.',
      { cause: error },
    );
  }
}
