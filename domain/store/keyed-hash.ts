import { createHmac, hkdfSync } from 'node:crypto';

/** HMAC-SHA-256 under a key derived from the secret key. The same secret has another hash for another purpose. */
export function keyedHashWith(secretKey: Uint8Array): (secret: string, purpose: string) => Buffer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'marketplace/keyed-hash/1', 32));
  return (secret, purpose) =>
    createHmac('sha256', key)
      .update(`${Buffer.byteLength(purpose)}:${purpose}`)
      .update(secret)
      .digest();
}
