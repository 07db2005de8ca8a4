import { describe, expect, it } from 'vitest';
import { noteHolders, settle, type Gap } from '../../domain/store/event-gap.ts';

const rowsOf = (...seqs: number[]) => seqs.map((seq) => ({ seq: BigInt(seq) }));
const gap = (upTo: number, holders: readonly string[] | null): Gap => ({
  upTo: BigInt(upTo),
  holders: holders === null ? null : new Set(holders),
});

describe('settle', () => {
  it('moves over numbers that follow each other', () => {
    expect(settle(rowsOf(5, 6, 7), 4n, null)).toEqual({ settled: 7n, count: 3, gap: null });
    expect(settle([], 4n, null)).toEqual({ settled: 4n, count: 0, gap: null });
  });

  it('stops before the first missing number, and knows up to where numbers were handed out', () => {
    expect(settle(rowsOf(5, 7, 9), 4n, null)).toEqual({ settled: 5n, count: 1, gap: gap(9, null) });
  });

  it('keeps what was noted of a gap while somebody holds it, however much comes after it', () => {
    const held = gap(9, ['3/1']);
    expect(settle(rowsOf(7, 9, 12), 5n, held)).toEqual({ settled: 5n, count: 0, gap: held });
    expect(settle(rowsOf(6, 7, 9, 12), 5n, held)).toEqual({ settled: 7n, count: 2, gap: held });
  });

  it('moves over missing numbers that nobody holds any more, and over none that were handed out later', () => {
    expect(settle(rowsOf(7, 9, 10, 12), 5n, gap(9, []))).toEqual({ settled: 10n, count: 3, gap: gap(12, null) });
    expect(settle(rowsOf(7, 9, 11), 5n, gap(9, []))).toEqual({ settled: 9n, count: 2, gap: gap(11, null) });
  });

  it('moves over none where nobody has looked who holds them', () => {
    expect(settle(rowsOf(7), 5n, gap(7, null))).toEqual({ settled: 5n, count: 0, gap: gap(7, null) });
  });

  it('keeps what was decided where one read does not reach as far', () => {
    const decided = gap(20, []);
    expect(settle(rowsOf(7, 9), 5n, decided)).toEqual({ settled: 9n, count: 2, gap: decided });
  });
});

it('counts as holders only those of the first look, until they have ended', () => {
  const first = noteHolders(gap(9, null), new Set(['3/1', '4/1']));
  expect(first.holders).toEqual(new Set(['3/1', '4/1']));
  const second = noteHolders(first, new Set(['4/1', '5/1']));
  expect(second.holders).toEqual(new Set(['4/1']));
  expect(noteHolders(second, new Set(['5/1', '4/2'])).holders).toEqual(new Set());
});
