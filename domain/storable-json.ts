/** Deeper than any honest value, and far from what would exhaust the stack of those who walk through it. */
const deepestLevel = 100;
/** PostgreSQL writes numbers out: of 1e308, five characters, it makes 309. All of a value's together may add so many. */
const mostZeros = 16 * 1024;

/**
 * True where PostgreSQL keeps a JSON value as it is: no character NUL, no half of a surrogate pair, no number that a double
 * cannot hold, few that are far longer written out, and nested at most 100 levels deep. Goes level by level, not by
 * recursion: the depth is the sender's choice.
 */
export function isStorableJson(root: object): boolean {
  let values: readonly unknown[] = [root];
  let zeros = 0;
  for (let depth = 1; values.length > 0; depth += 1) {
    const nested = values.filter((value) => typeof value === 'object' && value !== null);
    if (!values.every(isStorableAlone) || (depth > deepestLevel && nested.length > 0)) return false;
    for (const value of values) if (typeof value === 'number') zeros += zerosOf(value);
    if (zeros > mostZeros) return false;
    values = nested.flatMap((value): unknown[] => Object.values(value));
  }
  return true;
}

function isStorableAlone(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.keys(value).every(isStorableText);
}

/** How many zeros the exponent of a number stands for, where it is written with one. */
function zerosOf(value: number): number {
  const [, exponent = '0'] = String(value).split('e');
  return Math.abs(Number(exponent));
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
