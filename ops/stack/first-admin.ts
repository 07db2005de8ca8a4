import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readOrMakeSecret } from './data-dir.ts';

const stored = z.object({ email: z.string(), password: z.string() });

/** Sign-in of the administrator that the API makes sure of when it starts. */
export type FirstAdmin = z.infer<typeof stored>;

/** The administrator that the settings name, or one made up once and kept in the data directory. */
export function firstAdmin(dataDir: string, email: string | null, password: string | null): FirstAdmin {
  if (email !== null && password !== null) return { email, password };
  if (email !== null || password !== null) {
    throw new Error('Set both BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD, or neither.');
  }
  return stored.parse(JSON.parse(readOrMakeSecret(join(dataDir, 'admin.json'), madeUpAdmin)));
}

function madeUpAdmin(): string {
  return JSON.stringify({ email: 'admin@marketplace.local', password: randomBytes(15).toString('base64url') });
}

/** The key that encrypts secrets in the database: the one set, or one made up once and kept in the data directory. */
export function secretKey(dataDir: string, given: string | null): string {
  return given ?? readOrMakeSecret(join(dataDir, 'secret.key'), () => randomBytes(32).toString('base64'));
}
