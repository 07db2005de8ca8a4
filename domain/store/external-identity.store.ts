import type { Em } from './orm.ts';
import { createUser, type NewUser } from './user.store.ts';

/** Who a token is about, as its issuer knows them: together unique in the world. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The user of an external identity, or null. One query. */
export async function findExternalUser(em: Em, { issuer, subject }: ExternalIdentity): Promise<string | null> {
  const [row] = await em.execute<{ user_id: string }[]>(
    'select user_id from external_identity where issuer = ? and subject = ?',
    [issuer, subject],
  );
  return row?.user_id ?? null;
}

/**
 * Finds the user of an external identity or makes one, inside the caller's SQL transaction; of several at once one makes
 * it. An e-mail address that some account has is left out: two accounts are never taken for one.
 */
export async function ensureExternalUser(
  em: Em,
  identity: ExternalIdentity,
  user: Omit<NewUser, 'passwordHash' | 'roles'>,
): Promise<string> {
  const { issuer, subject } = identity;
  await em.execute(`select pg_advisory_xact_lock(7235, hashtext(? || ' ' || ?))`, [issuer, subject]);
  const known = await findExternalUser(em, identity);
  if (known !== null) return known;
  const fresh: NewUser = { ...user, passwordHash: null, roles: ['user'] };
  const made = (await createUser(em, fresh)) ?? (await createUser(em, { ...fresh, email: null }));
  if (made === null) throw new Error('a user without an e-mail address was not made');
  await em.execute('insert into external_identity (issuer, subject, user_id, created_at) values (?, ?, ?, ?)', [
    issuer,
    subject,
    made.id,
    user.at,
  ]);
  return made.id;
}
