import { v7 } from 'uuid';
import { normalizeEmail } from '../../domain/identity/user.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Em } from '../../domain/store/orm.ts';
import { User } from '../../domain/store/user.entity.ts';
import { createUser } from '../../domain/store/user.store.ts';
import { hashPassword } from './password.ts';

type AdminSettings = Pick<Settings, 'bootstrapAdminEmail' | 'bootstrapAdminPassword'>;

/**
 * Makes the first administrator that the settings name, where no such user exists. One that exists is left alone: a
 * changed setting is no way to take an account over. Of two processes that start at once one makes it.
 */
export async function ensureAdmin(em: Em, settings: AdminSettings, now: () => Date): Promise<void> {
  if (settings.bootstrapAdminEmail === null || settings.bootstrapAdminPassword === null) return;
  const email = normalizeEmail(settings.bootstrapAdminEmail);
  if ((await em.count(User, { email })) > 0) return;
  const passwordHash = await hashPassword(settings.bootstrapAdminPassword);
  await em.transactional((inner) =>
    createUser(inner, {
      id: v7(),
      email,
      passwordHash,
      displayName: 'Administrator',
      roles: ['user', 'admin'],
      grantUt: '0',
      at: now(),
    }),
  );
}
