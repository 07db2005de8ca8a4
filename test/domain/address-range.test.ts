import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin, normalizeRange } from '../../domain/identity/address-range.ts';

const runs = { numRuns: 500 };
const ipv4Prefix = fc.integer({ min: 0, max: 32 });
const ipv6Prefix = fc.integer({ min: 0, max: 128 });
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const network = fc.oneof(
  fc.tuple(fc.ipV4(), ipv4Prefix).map(([ip, prefix]) => `${ip}/${prefix}`),
  fc.tuple(fc.ipV6(), ipv6Prefix).map(([ip, prefix]) => `${ip}/${prefix}`),
  address,
);

/** What PostgreSQL and people mean by a network, counted bit by bit; for IPv4 only. */
function bitsOf(ip: string): string {
  return ip
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
}

describe('a range of addresses', () => {
  it('has one written form', () => {
    for (const [given, form] of [
      ['10.1.2.3/8', '10.0.0.0/8'],
      ['192.0.2.7/32', '192.0.2.7'],
      [' 192.0.2.7 ', '192.0.2.7'],
      ['2001:DB8:0:0::1/32', '2001:db8::/32'],
      ['2001:db8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1'],
      ['::ffff:10.1.2.3', '10.1.2.3'],
      ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['::/0', '::/0'],
    ] as const) {
      expect(normalizeRange(given), given).toBe(form);
    }
  });

  it('is refused where it is none, or says more than an address', () => {
    for (const text of ['', 'x', '10.0.0', '10.0.0.1/33', '10.0.0.1/', '10.0.0.1/08/8', '10.0.0.1/-1', '010.0.0.1'])
      expect(normalizeRange(text), text).toBeNull();
    for (const text of ['::1/129', '::1/1e1', 'fe80::1%eth0', '::ffff:10.0.0.1/64', '10.0.0.1, 10.0.0.2'])
      expect(normalizeRange(text), text).toBeNull();
  });

  it('keeps its form when it is normalised again', () => {
    fc.assert(
      fc.property(network, (given) => {
        const once = normalizeRange(given);
        expect(once).not.toBeNull();
        expect(normalizeRange(once ?? '')).toBe(once);
      }),
      runs,
    );
  });

  it('holds every address that it was written with', () => {
    fc.assert(
      fc.property(network, (given) => {
        const [ip = ''] = given.split('/');
        expect(isWithin(ip, [normalizeRange(given) ?? ''])).toBe(true);
      }),
      runs,
    );
  });

  it('holds the addresses that share the bits before its prefix, and no other', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), ipv4Prefix, (one, other, prefix) => {
        const shared = bitsOf(one).slice(0, prefix) === bitsOf(other).slice(0, prefix);
        expect(isWithin(other, [`${one}/${prefix}`])).toBe(shared);
        expect(isWithin(`::ffff:${other}`, [normalizeRange(`${one}/${prefix}`) ?? ''])).toBe(shared);
      }),
      runs,
    );
  });

  it('tells IPv6 networks apart, and IPv4 from IPv6', () => {
    expect(isWithin('2001:db8:1::5', ['2001:db8::/32'])).toBe(true);
    expect(isWithin('2001:db9::5', ['2001:db8::/32'])).toBe(false);
    expect(isWithin('10.0.0.1', ['::/0'])).toBe(false);
    expect(isWithin('::1', ['0.0.0.0/0', '2001:db8::/32'])).toBe(false);
  });

  it('holds nothing that is no address', () => {
    for (const text of ['', 'unknown', '10.0.0.1, 10.0.0.2', 'fe80::1%eth0'])
      expect(isWithin(text, ['0.0.0.0/0', '::/0']), text).toBe(false);
    expect(isWithin('10.0.0.1', [])).toBe(false);
  });
});
