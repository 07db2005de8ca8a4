import { describe, expect, it, test } from 'vitest';
import type { Command } from '../../domain/transaction/command.ts';
import { lifecycle } from '../../domain/transaction/lifecycle.ts';
import { apply, open } from '../../domain/transaction/transition.ts';
import { parseRetryAfter, pauseWhileBusy, waitBeforeRetry } from '../../domain/webhook/retry.ts';
import { disabledEventType, subscribableTypes } from '../../domain/webhook/webhook.ts';
import { parseSettings } from '../../domain/settings.ts';
import { offerOf } from './offer.ts';

const standardMs = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000];

describe('the wait before the next attempt', () => {
  it('is by default that of Standard Webhooks', () => {
    const { webhookRetryScheduleMs: scheduleMs } = parseSettings({});
    expect(scheduleMs).toEqual(standardMs);
    const waits = standardMs.map((_, index) =>
      waitBeforeRetry({ scheduleMs, failureCount: index + 1, retryAfterMs: null, jitter: 0 }),
    );
    expect(waits).toEqual(standardMs);
    expect(waitBeforeRetry({ scheduleMs, failureCount: 10, retryAfterMs: 5, jitter: 0 })).toBeNull();
  });

  it('differs by chance, and is never shorter', () => {
    const waits = [0, 0.5, 0.999_999].map((jitter) =>
      waitBeforeRetry({ scheduleMs: [1_000], failureCount: 1, retryAfterMs: null, jitter }),
    );
    expect(waits).toEqual([1_000, 1_100, 1_200]);
  });

  it('is as long as the receiver asks, but a day at most, and never sooner than the schedule', () => {
    const waits = [60_000, 1, 9e9].map((retryAfterMs) =>
      waitBeforeRetry({ scheduleMs: [5_000], failureCount: 1, retryAfterMs, jitter: 0 }),
    );
    expect(waits).toEqual([60_000, 5_000, 86_400_000]);
  });

  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 09:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['99999999999', null],
    ['soon', null],
    ['2027', 2_027_000],
    ['Mon, never', null],
    ['', null],
    [undefined, null],
  ])('asked for by %j is %j ms', (header, expected) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-21T09:00:00Z'))).toBe(expected);
  });
});

describe('the pause of a delivery whose receiver is busy', () => {
  test.each([
    [0, 0, 1_000],
    [4_000, 0, 1_000],
    [40_000, 0, 10_000],
    [40_000, 0.5, 15_000],
    [86_400_000, 0, 30_000],
    [86_400_000, 0.999_999, 60_000],
    // By a clock that was set back.
    [-5_000, 0, 1_000],
  ])('at the age of %d ms, by chance %d, is %d ms', (ageMs, jitter, expected) => {
    expect(pauseWhileBusy(ageMs, jitter)).toBe(expected);
  });
});

describe('the schedule', () => {
  test.each(['', '5s,', '5s,soon', '0s', '5s;1m', Array.from({ length: 21 }, () => '1s').join(',')])(
    'is not %j',
    (given) => {
      const parse = () => parseSettings({ WEBHOOK_RETRY_SCHEDULE: given }).webhookRetryScheduleMs;
      // What is empty counts as not set, as for every setting.
      if (given === '') expect(parse()).toEqual(standardMs);
      else expect(parse).toThrow('WEBHOOK_RETRY_SCHEDULE');
    },
  );
});

describe('what one may subscribe to', () => {
  it('is every event there is', () => {
    const first = open(offerOf(), 0);
    const types = lifecycle.flatMap((move) =>
      move.from.flatMap((from) => {
        const ask = {
          operation: move.operation,
          outcome: move.outcome,
          seller_share_ut: '1',
        } as unknown as Command['ask'];
        const state = { ...first.next, status: from };
        const command: Command = { ask, actor: { type: 'system' } };
        return apply(state, move, move.by, command, 0).events.map(({ type }) => type);
      }),
    );
    const all = [...first.events.map(({ type }) => type), ...types, disabledEventType];
    expect(subscribableTypes.toSorted()).toEqual([...new Set(all)].toSorted());
  });
});
