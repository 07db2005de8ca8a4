import { isDeepStrictEqual } from 'node:util';
import { EndedEarlyError } from './child.ts';
import type { Log } from './progress.ts';

const ATTEMPTS_MAX = 3;

/**
 * Starts what listens on claimed ports. One that was free may be taken by any connection of this machine before it is used:
 * where the child then ends early, ports are claimed again, and it is tried again if they are others. Rejects as `start`
 * does, or as `claim` does where a port that must be this one is taken by then.
 */
export async function startOnFreePorts<P, T>(
  what: string,
  claim: () => Promise<P>,
  log: Log,
  start: (ports: P) => Promise<T>,
): Promise<T> {
  let ports = await claim();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await start(ports);
    } catch (error) {
      if (attempts === ATTEMPTS_MAX || !(error instanceof EndedEarlyError)) throw error;
      const others = await claim();
      // Nobody has taken any, so that it ended for another reason.
      if (isDeepStrictEqual(others, ports)) throw error;
      ports = others;
      log(`${what} did not start; trying again with other ports.`);
    }
  }
}
