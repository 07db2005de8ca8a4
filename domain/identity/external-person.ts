import { z } from 'zod';
import { normalizeEmail } from './user.ts';

const maxEmailCharacters = 254;
const maxNameCharacters = 100;

/** What a token of an external issuer may say of a person, beside who they are. A claim of roles is not read at all. */
export interface PersonClaims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly preferred_username?: unknown;
}

export interface ExternalPerson {
  readonly email: string | null;
  readonly displayName: string;
}

/** The account to make of the claims. An e-mail address counts only where the issuer says that it verified it. */
export function personOf(claims: PersonClaims): ExternalPerson {
  return {
    email: claims.email_verified === true ? emailOf(claims.email) : null,
    displayName: nameOf(claims.name) ?? nameOf(claims.preferred_username) ?? 'User',
  };
}

function emailOf(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.length > maxEmailCharacters) return null;
  return z.email().safeParse(normalizeEmail(claim)).data ?? null;
}

function nameOf(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  // Where the cut goes through a character, its half becomes the sign for an unknown one.
  const name = claim
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxNameCharacters)
    .toWellFormed()
    .trim();
  return name === '' ? null : name;
}
