import type { Role } from '../caller.ts';
import { derivedId } from '../identity/derived-id.ts';
import { ut } from '../ut.ts';
import { creditUser } from './ledger.store.ts';
import type { Em } from './orm.ts';
import { User, type UserRow } from './user.entity.ts';

export interface NewUser {
  readonly id: string;
  /** Null for one whom an external issuer knows without a verified address that is free here. */
  readonly email: string | null;
  /** Null for one who signs in elsewhere: no password opens the account. */
  readonly passwordHash: string | null;
  readonly displayName: string;
  readonly roles: readonly Role[];
  /** UT that the user starts with; "0" for none. */
  readonly grantUt: string;
  readonly at: Date;
}

/**
 * Makes a user with both ledger accounts and the signup grant, inside the caller's SQL transaction. Null when the e-mail
 * address is taken, and nothing is made then.
 */
export async function createUser(em: Em, user: NewUser): Promise<UserRow | null> {
  const { id, email, passwordHash, displayName, at } = user;
  const made = await em.execute<unknown[]>(
    `insert into "user" (id, email, password_hash, display_name, roles, created_at, updated_at)
     values (?, ?, ?, ?, ?::text[], ?, ?) on conflict (email) do nothing returning id`,
    [id, email, passwordHash, displayName, `{${user.roles.join(',')}}`, at, at],
  );
  if (made.length === 0) return null;
  await em.execute(`insert into account (owner_id, kind) values (?, 'available'), (?, 'frozen')`, [id, id]);
  if (ut(user.grantUt) > 0n) {
    const transferId = derivedId('transfer', id, 'signup-grant');
    await creditUser(em, {
      transferId,
      userId: id,
      amountUt: user.grantUt,
      reason: 'signup grant',
      createdBy: null,
      at,
    });
  }
  return await em.findOneOrFail(User, { id });
}

/** The hash of a user's password, which nobody changes until the end of the SQL transaction; null where there is none. */
export async function holdPasswordHash(em: Em, userId: string): Promise<string | null> {
  const sql = `select password_hash from "user" where id = ? for share`;
  const [row] = await em.execute<{ password_hash: string | null }[]>(sql, [userId]);
  return row?.password_hash ?? null;
}

/** Replaces a password's hash; false when it is not `from` any more. */
export async function replacePasswordHash(
  em: Em,
  userId: string,
  change: { readonly from: string; readonly to: string; readonly at: Date },
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update "user" set password_hash = ?, updated_at = ? where id = ? and password_hash = ? returning id`,
    [change.to, change.at, userId, change.from],
  );
  return rows.length > 0;
}
