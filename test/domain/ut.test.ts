import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addUt,
  formatUt,
  maxMicroUt,
  multiplyUt,
  negateUt,
  parseUt,
  rateOfUt,
  subtractUt,
  ut,
  utPattern,
  type MicroUt,
} from '../../domain/ut.ts';

const amount = fc.bigInt({ min: -maxMicroUt, max: maxMicroUt }).map((micro) => micro as MicroUt);
const positive = fc.bigInt({ min: 0n, max: maxMicroUt }).map((micro) => micro as MicroUt);
const rate = fc.integer({ min: 0, max: 999_999 }).map((millionths) => `0.${String(millionths).padStart(6, '0')}`);

describe('decimals', () => {
  test('every amount survives the way to text and back', () => {
    fc.assert(
      fc.property(amount, (micro) => {
        expect(parseUt(formatUt(micro))).toBe(micro);
      }),
    );
  });

  test('the canonical form has two to six fraction digits and is the form of the wire', () => {
    fc.assert(
      fc.property(amount, (micro) => {
        expect(formatUt(micro)).toMatch(/^-?(0|[1-9]\d{0,13})\.\d{2,6}$/);
        expect(formatUt(micro)).not.toMatch(/\.\d{2}\d*0$/);
        expect(formatUt(micro)).toMatch(utPattern);
      }),
    );
  });

  test('what PostgreSQL writes for numeric(20,6) reads as the same amount', () => {
    fc.assert(
      fc.property(amount, (micro) => {
        const [integer, fraction = ''] = formatUt(micro).split('.');
        expect(parseUt(`${integer}.${fraction.padEnd(6, '0')}`)).toBe(micro);
      }),
    );
  });

  test('digits that a float cannot hold are kept', () => {
    expect(formatUt(ut('99999999999999.999999'))).toBe('99999999999999.999999');
    expect(formatUt(addUt(ut('0.1'), ut('0.2')))).toBe('0.30');
    expect(formatUt(subtractUt(ut('9007199254740.993'), ut('0.000001')))).toBe('9007199254740.992999');
  });

  test.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['12.5', '12.50'],
    ['12.500000', '12.50'],
    ['0.000001', '0.000001'],
    ['-0.10', '-0.10'],
    ['99999999999999', '99999999999999.00'],
  ])('%s is written as %s', (given, canonical) => {
    expect(formatUt(ut(given))).toBe(canonical);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '5.',
    '1e3',
    '1E3',
    '0x10',
    '1,5',
    '1_000',
    'NaN',
    'Infinity',
    '--1',
    '١',
  ])('%j is no amount', (given) => {
    expect(parseUt(given)).toBeNull();
    expect(() => ut(given)).toThrow(RangeError);
  });

  test.each(['100000000000000', '0.0000001', '99999999999999.9999999'])('%s has too many digits', (given) => {
    expect(parseUt(given)).toBeNull();
  });

  test('adding and taking away the same changes nothing', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(subtractUt(addUt(a, b), b)).toBe(a);
        expect(addUt(a, negateUt(a))).toBe(0n);
      }),
    );
  });

  test('times a whole number is repeated addition, or null past the largest amount', () => {
    fc.assert(
      fc.property(positive, fc.integer({ min: 0, max: 10_000 }), (a, times) => {
        const exact = a * BigInt(times);
        expect(multiplyUt(a, times)).toBe(exact > maxMicroUt ? null : exact);
      }),
    );
  });
});

describe('fees', () => {
  test('the fee and the rest are the price, to the micro-UT', () => {
    fc.assert(
      fc.property(positive, rate, (price, feeRate) => {
        const fee = rateOfUt(price, feeRate);
        const rest = subtractUt(price, fee);
        expect(addUt(fee, rest)).toBe(price);
        expect(fee >= 0n && rest >= 0n).toBe(true);
      }),
    );
  });

  test('the fee is never more than the exact share, and less than one micro-UT below it', () => {
    fc.assert(
      fc.property(positive, rate, (price, feeRate) => {
        const shortfall = price * ut(feeRate) - rateOfUt(price, feeRate) * 1_000_000n;
        expect(shortfall >= 0n && shortfall < 1_000_000n).toBe(true);
      }),
    );
  });

  test('a rate of zero takes nothing', () => {
    fc.assert(
      fc.property(positive, (price) => {
        expect(rateOfUt(price, '0')).toBe(0n);
      }),
    );
  });
});
