import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealWith } from '../../domain/store/seal.ts';
import { operationClasses } from '../../domain/caller.ts';
import { apiKeyPrefix, formatApiKey, judgeApiKey } from '../../domain/identity/api-key.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import { judgeRefresh, refreshTokenExpiry } from '../../domain/identity/refresh-token.ts';
import { normalizeEmail, toUserRecord } from '../../domain/identity/user.ts';

const now = new Date('2026-11-21T09:00:00.000Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

describe('a refresh token', () => {
  const fresh = { expires_at: after, used_at: null, revoked_at: null };

  it('rotates once, until it expires', () => {
    expect(judgeRefresh(fresh, now)).toBe('rotate');
    expect(judgeRefresh({ ...fresh, expires_at: now }, now)).toBe('expired');
    expect(judgeRefresh({ ...fresh, expires_at: before }, now)).toBe('expired');
  });

  it('that comes a second time is reused, even after it expired', () => {
    expect(judgeRefresh({ ...fresh, used_at: before }, now)).toBe('reused');
    expect(judgeRefresh({ ...fresh, used_at: before, expires_at: before }, now)).toBe('reused');
  });

  it('of a revoked family is revoked, whatever else it is', () => {
    expect(judgeRefresh({ expires_at: before, used_at: before, revoked_at: before }, now)).toBe('revoked');
  });

  it('lives 30 days', () => {
    expect(refreshTokenExpiry(now)).toEqual(new Date('2026-12-21T09:00:00.000Z'));
  });
});

describe('an API key', () => {
  const use = { expires_at: null, revoked_at: null, granted: true, operations: operationClasses, addresses: null };
  const from = '203.0.113.7';

  it('is usable while it is neither revoked nor expired, for a user who granted its platform', () => {
    expect(judgeApiKey(use, now, from)).toBe('usable');
    expect(judgeApiKey({ ...use, expires_at: after }, now, from)).toBe('usable');
    expect(judgeApiKey({ ...use, granted: false }, now, from)).toBe('user_not_granted');
  });

  it('that does not hold says nothing of the user', () => {
    const wrong = [null, { ...use, revoked_at: before }, { ...use, expires_at: now }, { ...use, expires_at: before }];
    for (const one of wrong) {
      expect(judgeApiKey(one, now, from)).toBe('invalid_api_key');
      expect(judgeApiKey(one === null ? null : { ...one, granted: false }, now, from)).toBe('invalid_api_key');
    }
  });

  it('is 256 bits behind a readable prefix, of which lists show 36 bits', () => {
    const apiKey = formatApiKey(new Uint8Array(32).fill(255));
    expect(apiKey).toMatch(/^mk_live_[\w-]{43}$/);
    expect(apiKeyPrefix(apiKey)).toBe(apiKey.slice(0, 14));
  });
});

describe('an e-mail address', () => {
  it('has one form, which normalizing again does not change', () => {
    expect(normalizeEmail('  Ada@Example.COM\n')).toBe('ada@example.com');
    fc.assert(
      fc.property(fc.emailAddress(), (email) => normalizeEmail(normalizeEmail(email)) === normalizeEmail(email)),
    );
  });
});

describe('the record of a user', () => {
  it('has no field that the interface does not name', () => {
    const row = {
      id: 'u',
      email: 'a@b.c',
      display_name: 'A',
      roles: ['user' as const],
      created_at: now,
      password_hash: 'x',
    };
    expect(toUserRecord(row)).toEqual({
      id: 'u',
      email: 'a@b.c',
      display_name: 'A',
      roles: ['user'],
      created_at: '2026-11-21T09:00:00.000Z',
    });
  });
});

describe('a derived id', () => {
  it('is a UUID and a function of its parts', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (kind, parts) => {
        const id = derivedId(kind, ...parts);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(derivedId(kind, ...parts)).toBe(id);
      }),
    );
  });

  it('tells apart parts that are joined differently', () => {
    expect(derivedId('a', 'bc')).not.toBe(derivedId('ab', 'c'));
    expect(derivedId('a', 'b', '')).not.toBe(derivedId('a', 'b'));
  });
});

describe('a sealed secret', () => {
  const seal = sealWith(new Uint8Array(32).fill(1));

  it('opens with the same key for the same purpose', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, purpose) => {
        expect(seal.decrypt(seal.encrypt(secret, purpose), purpose)).toBe(secret);
      }),
    );
  });

  it('opens with no other key, for no other purpose, and not when a byte is changed', () => {
    const refusal = /unable to authenticate|not a sealed secret/;
    const sealed = seal.encrypt('whsec_secret', 'webhook/1');
    expect(() => sealWith(new Uint8Array(32).fill(2)).decrypt(sealed, 'webhook/1')).toThrow(refusal);
    expect(() => seal.decrypt(sealed, 'webhook/2')).toThrow(refusal);
    for (const [index, byte] of sealed.entries()) {
      const changed = Buffer.from(sealed);
      changed[index] = byte ^ 1;
      expect(() => seal.decrypt(changed, 'webhook/1')).toThrow(refusal);
    }
    expect(() => seal.decrypt(Buffer.alloc(3), 'webhook/1')).toThrow('not a sealed secret');
  });

  it('never looks the same twice', () => {
    expect(seal.encrypt('a', 'b').equals(seal.encrypt('a', 'b'))).toBe(false);
  });
});
