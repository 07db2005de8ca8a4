import { BlockList, isIP } from 'node:net';

/**
 * Addresses that the platform must not be talked into calling: its own machine, its network, and ranges that no public
 * service has (IANA special-purpose registries). IPv6 is refused outside of global unicast, mapped IPv4 with it, and
 * inside of it where an IPv4 address hides. Two lists: one would hold every IPv4 address against the range of mapped ones.
 */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Public by number, but within Azure the platform's own.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.ipv4.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
] as const) {
  special.ipv6.addSubnet(network, prefix, 'ipv6');
}

const localNames = /^(.*\.)?(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** True for an IP address that is not a public one. */
export function isSpecialAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return special[family].check(address, family);
}

/**
 * Says why this may not be a callback address, or null. Only what the text itself shows: a name is checked again when
 * it is resolved, at connection time.
 */
export function refusedAddress(text: string, allowPrivate: boolean): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  if (allowPrivate) return null;
  // The parser has brought forms like 2130706433 and 0x7f.1 into dotted notation.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  if (host === '' || localNames.test(host) || isSpecialAddress(host)) return 'must be a public address';
  return null;
}
