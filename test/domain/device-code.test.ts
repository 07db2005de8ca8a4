import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsFor } from '../../domain/identity/api-key.ts';
import {
  displayedUserAgent,
  formatDeviceCode,
  formatUserCode,
  judgeDecision,
  judgePoll,
  mayLookUp,
  normalizeUserCode,
  userCodeAlphabet,
} from '../../domain/identity/device-code.ts';

const random = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes });

describe('a user code', () => {
  it('is 8 letters of the alphabet in two groups', () => {
    expect(userCodeAlphabet).toBe('BCDFGHJKLMNPQRSTVWXZ');
    const form = new RegExp(`^[${userCodeAlphabet}]{4}-[${userCodeAlphabet}]{4}$`);
    fc.assert(fc.property(random(16), (bytes) => form.test(formatUserCode(bytes))));
  });

  it('has every letter at every place', () => {
    const seen = Array.from({ length: 8 }, () => new Set<string>());
    for (let i = 0; i < 4_000; i += 1) {
      const letters = formatUserCode(crypto.getRandomValues(new Uint8Array(16))).replace('-', '');
      for (const [place, letter] of Array.from(letters).entries()) seen[place]?.add(letter);
    }
    expect(seen.map((letters) => letters.size)).toEqual(Array.from({ length: 8 }, () => 20));
  });

  it('is the same however it is typed', () => {
    const filler = fc
      .array(fc.constantFrom(' ', '-', '–', '\t', '\u00A0'), { maxLength: 3 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        random(16),
        fc.array(filler, { minLength: 9, maxLength: 9 }),
        fc.infiniteStream(fc.boolean()),
        (bytes, gaps, upper) => {
          const code = formatUserCode(bytes);
          const letters = Array.from(code.replace('-', ''), (one) => (upper.next().value ? one : one.toLowerCase()));
          const typed = gaps.map((gap, index) => gap + (letters[index] ?? '')).join('');
          expect(normalizeUserCode(typed)).toBe(code);
        },
      ),
    );
  });

  it('is nothing else: whatever is read as one reads as itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (typed) => {
        const code = normalizeUserCode(typed);
        expect(code === null || normalizeUserCode(code) === code).toBe(true);
      }),
    );
    for (const typed of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-EFGH', 'BCDF_GHJK', 'ßCDF-GHJ', 'BCDF-GHJ1']) {
      expect(normalizeUserCode(typed)).toBeNull();
    }
  });
});

describe('a device code', () => {
  it('carries all 256 bits', () => {
    fc.assert(
      fc.property(random(32), (bytes) => {
        const [, body = ''] = /^md_([\w-]{43})$/.exec(formatDeviceCode(bytes)) ?? [];
        expect(new Uint8Array(Buffer.from(body, 'base64url'))).toEqual(bytes);
      }),
    );
  });
});

describe('what an agent says of itself', () => {
  it('is shown bounded, in one line, without characters that are not seen', () => {
    expect(displayedUserAgent('open\u0000claw\n/1.0\u202E \u0007x ')).toBe('open claw /1.0 x');
    expect(displayedUserAgent('a'.repeat(5_000))).toHaveLength(200);
    for (const nothing of [undefined, '', ' \t\u200B']) expect(displayedUserAgent(nothing)).toBeNull();
  });
});

const now = new Date('2026-11-21T09:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const waiting = {
  status: 'pending',
  user_id: null,
  expires_at: after(60_000),
  interval_sec: 5,
  last_polled_at: null,
} as const;
const approved = { ...waiting, status: 'approved', user_id: 'ada' } as const;

describe('a poll', () => {
  it.each([
    ['of an unknown code is expired', null, 'expired'],
    ['waits', waiting, 'pending'],
    ['waits a second time after the interval', { ...waiting, last_polled_at: after(-5_000) }, 'pending'],
    ['is forgiven a moment', { ...waiting, last_polled_at: after(-4_800) }, 'pending'],
    ['before the interval is too fast', { ...waiting, last_polled_at: after(-4_000) }, 'slow_down'],
    ['keeps to the grown interval', { ...waiting, interval_sec: 10, last_polled_at: after(-8_000) }, 'slow_down'],
    ['ends with the session', { ...waiting, expires_at: now }, 'expired'],
    ['learns at once that it was denied', { ...approved, status: 'denied', last_polled_at: now } as const, 'denied'],
    ['gets what was approved at any pace', { ...approved, last_polled_at: now }, 'approved'],
    ['gets nothing after the end', { ...approved, expires_at: now }, 'expired'],
  ] as const)('%s', (_, session, verdict) => {
    expect(judgePoll(session, now)).toBe(verdict);
  });
});

describe('a decision', () => {
  const decision = { userId: 'ada', approve: true };
  it.each([
    ['on no session is unknown', null, decision, 'unknown'],
    ['is made once', waiting, decision, 'decide'],
    ['is made in time', { ...waiting, expires_at: now }, decision, 'expired'],
    ['may be repeated', approved, decision, 'repeated'],
    ['may be repeated as it was only', approved, { ...decision, approve: false }, 'conflict'],
    ['binds others', approved, { userId: 'bob', approve: true }, 'conflict'],
    ['is told the same after the end', { ...approved, expires_at: now }, decision, 'repeated'],
    [
      'of another is over with the session',
      { ...approved, expires_at: now },
      { userId: 'bob', approve: true },
      'expired',
    ],
  ] as const)('%s', (_, session, given, verdict) => {
    expect(judgeDecision(session, given, now)).toBe(verdict);
  });

  it('is seen by the one who made it, and nobody else', () => {
    expect(mayLookUp(waiting, 'bob', now)).toBe(true);
    expect(mayLookUp(approved, 'ada', now)).toBe(true);
    expect(mayLookUp(approved, 'bob', now)).toBe(false);
    expect(mayLookUp({ ...approved, expires_at: now }, 'ada', now)).toBe(false);
    expect(mayLookUp(null, 'ada', now)).toBe(false);
  });
});

describe('a key', () => {
  it('of a device acts for its one user, a key of a partner for all who grant, and an unbound key of a device for nobody', () => {
    expect(actsFor({ kind: 'device', userId: 'ada' }, 'ada')).toBe(true);
    expect(actsFor({ kind: 'device', userId: 'ada' }, 'bob')).toBe(false);
    expect(actsFor({ kind: 'partner', userId: null }, 'bob')).toBe(true);
    expect(actsFor({ kind: 'device', userId: null }, 'bob')).toBe(false);
  });
});
