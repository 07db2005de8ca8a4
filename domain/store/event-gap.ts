/** Numbers that were handed out and are not seen yet: the lowest of them holds the feed. */
export interface Gap {
  /** Every missing number up to here was handed out when the gap was first seen. */
  readonly upTo: bigint;
  /** Of those who may own a missing number, who has not ended; null before anybody was noted. */
  readonly holders: ReadonlySet<string> | null;
}

/** What one read of the events after `settled`, in order and without leaving any out, makes of the position. */
export interface Settling {
  readonly settled: bigint;
  /** How many of the rows, from the first, are settled with it. */
  readonly count: number;
  readonly gap: Gap | null;
}

/**
 * Moves the position over rows without a gap between them, and over missing numbers that will never come: those of a gap
 * whose holders have all ended before this read was begun. A number is handed out to a SQL transaction that holds the
 * lock already, and that lets it go after its rows can be seen; so a number that a read lacks, begun after every holder
 * since has ended, was rolled back.
 */
export function settle(rows: readonly { readonly seq: bigint }[], settled: bigint, gap: Gap | null): Settling {
  const decided = gap !== null && gap.holders?.size === 0 ? gap.upTo : settled;
  let position = settled;
  let count = 0;
  for (const { seq } of rows) {
    if (seq > position + 1n && seq > decided + 1n) break;
    position = seq;
    count += 1;
  }
  return { settled: position, count, gap: gapAfter(rows, count, position, gap) };
}

function gapAfter(
  rows: readonly { readonly seq: bigint }[],
  count: number,
  position: bigint,
  gap: Gap | null,
): Gap | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  // Noted once for all numbers up to there, also where more reads than one are needed to get past them.
  if (gap !== null && position < gap.upTo) return gap;
  return count === rows.length ? null : { upTo: last.seq, holders: null };
}

/** The gap after a look at who holds the lock now. Whoever came after the first look owns no number of it. */
export function noteHolders(gap: Gap, holding: ReadonlySet<string>): Gap {
  const { upTo, holders } = gap;
  return { upTo, holders: holders === null ? holding : new Set([...holders].filter((one) => holding.has(one))) };
}
