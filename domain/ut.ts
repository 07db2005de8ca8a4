/**
 * UT amounts. Inside the domain a bigint of micro-UT (six fraction digits), on the wire and across Temporal a decimal
 * string with at least two fraction digits ("12.50"). Never a float.
 */
export type MicroUt = bigint & { readonly unit: 'micro-UT' };

export const utFractionDigits = 6;
export const utIntegerDigits = 14;
const microPerUt = 10n ** BigInt(utFractionDigits);

/** The largest amount that `numeric(20,6)` holds. */
export const maxMicroUt = (10n ** BigInt(utIntegerDigits) * microPerUt - 1n) as MicroUt;
export const zeroUt = 0n as MicroUt;

/** Plain decimal notation: no exponent, no leading plus, at most 14 integer and 6 fraction digits. */
export const utPattern = /^-?(?:0|[1-9]\d{0,13})(?:\.\d{1,6})?$/;

/** Reads a decimal string; null when it is not one or has too many digits. */
export function parseUt(text: string): MicroUt | null {
  if (!utPattern.test(text)) return null;
  const negative = text.startsWith('-');
  const [integer = '0', fraction = ''] = text.replace('-', '').split('.');
  const micro = BigInt(integer) * microPerUt + BigInt(fraction.padEnd(utFractionDigits, '0'));
  return (negative ? -micro : micro) as MicroUt;
}

/** Reads a decimal string that the program itself wrote; throws when it is not one. */
export function ut(text: string): MicroUt {
  const micro = parseUt(text);
  if (micro === null) throw new RangeError(`not a UT amount: ${text}`);
  return micro;
}

/** The canonical form: at least two, at most six fraction digits, no superfluous zero. */
export function formatUt(micro: bigint): string {
  const sign = micro < 0n ? '-' : '';
  const digits = (micro < 0n ? -micro : micro).toString().padStart(utFractionDigits + 1, '0');
  const fraction = digits.slice(-utFractionDigits).replace(/0{1,4}$/, '');
  return `${sign}${digits.slice(0, -utFractionDigits)}.${fraction}`;
}

/** Sum of two amounts, in micro-UT. */
export function addUt(a: MicroUt, b: MicroUt): MicroUt {
  return (a + b) as MicroUt;
}

/** Difference of two amounts, in micro-UT; may be negative. */
export function subtractUt(a: MicroUt, b: MicroUt): MicroUt {
  return (a - b) as MicroUt;
}

/** The amount with the other sign. */
export function negateUt(a: MicroUt): MicroUt {
  return -a as MicroUt;
}

/** Times a whole number, as booked hours; null past the largest amount. */
export function multiplyUt(a: MicroUt, times: number): MicroUt | null {
  const product = a * BigInt(times);
  return product > maxMicroUt || product < -maxMicroUt ? null : (product as MicroUt);
}

/** A share of an amount by a decimal rate ("0.025"), rounded down: the platform never takes the odd micro-UT. */
export function rateOfUt(amount: MicroUt, rate: string): MicroUt {
  return ((amount * ut(rate)) / microPerUt) as MicroUt;
}
