import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isStorableJson } from '../../domain/storable-json.ts';

const writtenOut = (value: number) => BigInt(Math.trunc(Math.abs(value))).toString().length;

it('takes any plain number, and some with a large exponent', () => {
  expect(isStorableJson({ a: 1e308, b: -1e-300, c: 0, d: 0.1 })).toBe(true);
  expect(isStorableJson({ many: Array.from({ length: 100_000 }, (_, index) => index / 8) })).toBe(true);
});

it('takes no value that PostgreSQL would write many times as long', () => {
  expect(isStorableJson({ many: Array.from({ length: 200 }, () => 1e308) })).toBe(false);
  expect(isStorableJson({ many: Array.from({ length: 200 }, (_, index) => ({ [index]: [-5e-324] })) })).toBe(false);
});

it('takes what adds 16 Ki zeros at most when it is written out', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 300 }), (numbers) => {
      fc.pre(isStorableJson({ numbers }));
      const plain = numbers.reduce((sum, value) => sum + writtenOut(value), 0);
      expect(plain).toBeLessThanOrEqual(JSON.stringify(numbers).length + 16 * 1024);
    }),
  );
});
