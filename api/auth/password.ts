import { hash, verify } from '@node-rs/argon2';

/** Argon2id, the algorithm's default here, with the first parameters that OWASP's password storage sheet gives. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return await hash(normalize(password), parameters);
}

/** With no hash, because there is no such user, it works as hard on one that nothing matches, and answers false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await unmatchable), normalize(password));
  return matches && passwordHash !== null;
}

const unmatchable = hashPassword(crypto.randomUUID());

/** The same characters may arrive in several encodings, depending on the keyboard (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
