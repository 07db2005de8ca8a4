import { describe, expect, it } from 'vitest';
import { personOf } from '../../domain/identity/external-person.ts';

describe('a person of an external issuer', () => {
  it('has an e-mail address only where the issuer says that it verified it', () => {
    const email = ' Ada@Example.COM ';
    expect(personOf({ email, email_verified: true }).email).toBe('ada@example.com');
    for (const email_verified of [false, 'true', 1, null, undefined])
      expect(personOf({ email, email_verified }).email).toBeNull();
    for (const wrong of ['nobody', `${'x'.repeat(250)}@a.bc`, 'a\u0000@b.co', 7, ['a@b.co'], null])
      expect(personOf({ email: wrong, email_verified: true }).email).toBeNull();
  });

  it('has the first name that there is, of at most 100 characters and none of them a control character', () => {
    expect(personOf({ name: ' Ada\u0000\n ', preferred_username: 'al' }).displayName).toBe('Ada');
    expect(personOf({ name: '\t', preferred_username: 'al' }).displayName).toBe('al');
    expect(personOf({ name: { formatted: 'Ada' } }).displayName).toBe('User');
    const long = personOf({ name: `${'x'.repeat(99)}😀` }).displayName;
    expect(long).toHaveLength(100);
    expect(long.isWellFormed()).toBe(true);
  });
});
