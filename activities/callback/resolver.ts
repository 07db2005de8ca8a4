import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

/** All addresses of a name, never none: throws `Unresolvable` instead. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** The name has no address, or nobody said in time. */
export class Unresolvable extends Error {
  override readonly name = 'Unresolvable';
}

/** Of one question to one server, in milliseconds; asked twice at most, since UDP may lose one. */
const question = { timeout: 1_500, tries: 2 } as const;

/** Resolves by these servers (`address` or `address:port`), or as the operating system does where there are none. */
export function openResolver(servers: readonly string[]): Resolve {
  const all = servers.length === 0 ? (name: string) => lookup(name, { all: true }) : askingServers(servers);
  return async (name) => {
    let addresses: readonly LookupAddress[];
    try {
      addresses = await all(name);
    } catch (error) {
      throw new Unresolvable(`${name} could not be resolved`, { cause: error });
    }
    if (addresses.length === 0) throw new Unresolvable(`${name} has no address`);
    return addresses;
  };
}

function askingServers(servers: readonly string[]): Resolve {
  const resolver = new Resolver(question);
  resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    // Many servers answer for one family only: what the other one says does not matter then.
    return answers.flatMap((answer, index) =>
      answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
    );
  };
}
