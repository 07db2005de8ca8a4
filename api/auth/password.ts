import { hash, verify } from '@node-rs/argon2';
import { boundedQueue } from './bounded-queue.ts';

/** Argon2id, the algorithm's default here, with the first parameters that OWASP's password storage sheet gives. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing runs on the four threads that signatures and file access share: half stay free, or 200 hashes at once hold up
 * every token's check for more than a second. What waits is done within about half a second; 20 MB each while it runs.
 */
const queue = boundedQueue({ running: 2, waiting: 48 });

const work = { hashes: 0, verifications: 0 };

/** How often this process has worked on a password since it began. */
export function passwordWork(): { readonly hashes: number; readonly verifications: number } {
  return { ...work };
}

/** Throws `unavailable` when too many others wait. */
export async function hashPassword(password: string): Promise<string> {
  return await queue.run(async () => {
    work.hashes += 1;
    return await hash(normalize(password), parameters);
  });
}

/**
 * With no hash, because there is no such user or no password opens the account, it works as hard on one that nothing
 * matches, and answers false. Throws `unavailable` when too many others wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const known = passwordHash?.startsWith('$argon2id$') === true ? passwordHash : null;
  const against = known ?? (await unmatchable);
  return await queue.run(async () => {
    work.verifications += 1;
    const matches = await verify(against, normalize(password));
    return matches && known !== null;
  });
}

const unmatchable = hash(crypto.randomUUID(), parameters);

/** The same characters may arrive in several encodings, depending on the keyboard (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
