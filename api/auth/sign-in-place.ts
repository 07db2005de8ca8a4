import { MarketplaceError } from '../../domain/errors.ts';

/** The refusal that tells people where to sign in instead. */
export function signInElsewhere(error: 'forbidden' | 'unauthenticated', issuer: string): MarketplaceError {
  const text = `Sign in at ${issuer} and send its access token as Authorization: Bearer.`;
  return new MarketplaceError(error, null, { text });
}
