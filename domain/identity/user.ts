import type { Role } from '../caller.ts';

/** The wire record of a user; only the user and an administrator see it. */
export interface UserRecord {
  readonly id: string;
  /** Null where an external issuer gave no verified address, or one that another account has. */
  readonly email: string | null;
  readonly display_name: string;
  readonly roles: readonly Role[];
  readonly created_at: string;
}

interface UserState {
  readonly id: string;
  readonly email: string | null;
  readonly display_name: string;
  readonly roles: readonly Role[];
  readonly created_at: Date;
}

/** Leaves out everything that is not of the wire, the password's hash first of all. */
export function toUserRecord({ id, email, display_name, roles, created_at }: UserState): UserRecord {
  return { id, email, display_name, roles: [...roles], created_at: created_at.toISOString() };
}

/** One mailbox, one account: what differs only in case or in space around it is the same address. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
