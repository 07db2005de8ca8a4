import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: nothing can be guessed, so a plain hash is enough to keep them. */
export function randomSecret(): Buffer {
  return randomBytes(32);
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
