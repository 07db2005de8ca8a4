import { isIP } from 'node:net';

interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/**
 * The one written form of an IP address or a network in CIDR notation: no bits behind the prefix, IPv6 by RFC 5952, a
 * single address without its prefix, and IPv4 that is mapped into IPv6 as IPv4. Null where it is neither.
 */
export function normalizeRange(text: string): string | null {
  const [written = '', prefixText, ...rest] = text.trim().split('/');
  const version = isIP(written);
  const address = parseAddress(written);
  if (address === null || rest.length > 0) return null;
  if (prefixText === undefined) return formatAddress(address);
  if (!/^\d{1,3}$/.test(prefixText)) return null;
  // The prefix of a mapped network counts the 96 bits that it is mapped by.
  const prefix = Number(prefixText) - (version === 6 ? 128 - address.bits : 0);
  if (prefix < 0 || prefix > address.bits) return null;
  const network = formatAddress({ ...address, value: networkOf(address, prefix) });
  return prefix === address.bits ? network : `${network}/${prefix}`;
}

/** Whether an address is one of these, or in one of these networks. What is no address is in none. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && ranges.some((range) => contains(range, parsed));
}

function contains(range: string, address: Address): boolean {
  const [written = '', prefixText] = range.split('/');
  const network = parseAddress(written);
  if (network === null || network.bits !== address.bits) return false;
  const prefix = prefixText === undefined ? network.bits : Number(prefixText);
  return networkOf(address, prefix) === networkOf(network, prefix);
}

function networkOf({ bits, value }: Address, prefix: number): bigint {
  const host = BigInt(bits - prefix);
  return (value >> host) << host;
}

const mappedStart = 0xffffn << 32n;
const ipv4Mask = 0xffff_ffffn;

function parseAddress(text: string): Address | null {
  const version = isIP(text);
  // A zone names an interface of this machine, which says nothing of where somebody is.
  if (version === 0 || text.includes('%')) return null;
  if (version === 4) return { bits: 32, value: valueOf(text.split('.').map(Number), 8n) };
  const value = valueOf(groupsOf(text), 16n);
  return (value & ~ipv4Mask) === mappedStart ? { bits: 32, value: value & ipv4Mask } : { bits: 128, value };
}

function valueOf(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
}

/** The eight groups of an IPv6 address that is known to be well formed. */
function groupsOf(text: string): number[] {
  const [head = '', tail = ''] = text.split('::');
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupsIn(half: string): number[] {
  if (half === '') return [];
  return half.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function formatAddress({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  // The parser of addresses leaves out the longest run of zeros, as RFC 5952 asks.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
