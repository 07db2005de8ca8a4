import type { Role } from '../caller.ts';
import { derivedId } from '../identity/derived-id.ts';
import { ut } from '../ut.ts';
import { creditUser } from './ledger.store.ts';
import type { Em } from './orm.ts';
import { User, type UserRow } from './user.entity.ts';

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
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
