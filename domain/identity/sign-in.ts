import type { Role } from '../caller.ts';

/**
 * Failed sign-ins in the window before the next try is refused unseen: for one account, whether it exists or not, and
 * from one address, behind which many people may sit. What succeeds is not counted and clears nothing.
 */
export const signInLimit = { accountFailures: 10, addressFailures: 100, windowSec: 15 * 60 } as const;

/** With an external issuer set, a password signs in only who runs the service: the way in when the issuer is away. */
export function mayUsePassword(roles: readonly Role[], externalIssuer: string | null): boolean {
  return externalIssuer === null || roles.includes('admin') || roles.includes('support');
}
