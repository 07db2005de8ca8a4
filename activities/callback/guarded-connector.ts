import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { isSpecialAddress } from '../../domain/capability/callback-address.ts';
import { type Resolve, Unresolvable } from './resolver.ts';

/** The host is, or resolves to, an address that the platform must not call. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The connection stood, but no trust could be agreed on. */
export class TlsFailed extends Error {
  override readonly name = 'TlsFailed';
}

/** For resolving, connecting and TLS together. A call that has less time left does not wait for it. */
const connectTimeoutMs = 10_000;
/** Node's default of 250 ms gives up addresses on other continents. */
const nextAddressAfterMs = 1_000;
const cachedTlsSessions = 100;

/**
 * Opens connections to public addresses only, unless `allowPrivate`. A name is resolved once for each connection, all its
 * addresses are checked, and those that were checked are dialled: an answer that changes afterwards changes nothing.
 * Fails with `AddressRefused`, `Unresolvable`, `TlsFailed`, or as the socket did.
 */
export function guardedConnector(resolve: Resolve, allowPrivate: boolean): buildConnector.connector {
  const isRefused = (address: string) => !allowPrivate && (isIP(address) === 0 || isSpecialAddress(address));
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    maxCachedSessions: cachedTlsSessions,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    lookup: checkedLookup(resolve, isRefused),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // Node asks for no address where it is given one.
    if (isIP(host) !== 0 && isRefused(host)) {
      queueMicrotask(() => callback(new AddressRefused(`${host} is not public`), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(isOfTls(options.protocol, error) ? tlsFailed(error) : error, null);
      // The last defence, should an address ever get past the lookup.
      if (isRefused(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(new AddressRefused(`${host} led to an address that is not public`), null);
      }
      return callback(null, socket);
    });
  };
}

/** One address that is not public spoils the name: such a name is made to get around the check. */
function checkedLookup(resolve: Resolve, isRefused: (address: string) => boolean): LookupFunction {
  const checked = callbackify(async (name: string) => {
    const addresses = await resolve(name);
    const isSpoiled = addresses.some(({ address }) => isRefused(address));
    if (isSpoiled) throw new AddressRefused(`${name} has an address that is not public`);
    return addresses;
  });
  return (name, options, callback) => {
    checked(name, (error: Error | null, addresses: readonly LookupAddress[] | undefined) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) callback(error ?? new Unresolvable(`${name} has no address`), '');
      else if (options.all === true) callback(null, [...(addresses ?? [])]);
      else callback(null, first.address, first.family);
    });
  };
}

/** What fails below TLS names a call of the operating system, or comes from undici or from the lookup. */
function isOfTls(protocol: string, error: Error & { code?: string; syscall?: string }): boolean {
  if (protocol !== 'https:' || error instanceof Unresolvable || error instanceof AddressRefused) return false;
  const { code = '', syscall } = error;
  if (code === 'EPROTO') return true;
  return syscall === undefined && !(error instanceof AggregateError) && !/^(UND_ERR|ECONN|ETIMEDOUT|EPIPE)/.test(code);
}

function tlsFailed(error: Error): TlsFailed {
  return new TlsFailed('no trusted connection', { cause: error });
}
