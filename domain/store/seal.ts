import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Authenticated encryption of small secrets. Sealed form: version, nonce, tag, ciphertext. */
export interface Seal {
  /** `purpose` names what it is for; a sealed secret opens for the same purpose only. */
  encrypt(secret: string, purpose: string): Buffer;
  /** Throws when the key or the purpose is another, or a bit was changed. */
  decrypt(sealed: Uint8Array, purpose: string): string;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;

/** AES-256-GCM under a key derived from the secret key, so that other uses of it cannot weaken this one. */
export function sealWith(secretKey: Uint8Array): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'marketplace/seal/1', 32));
  return {
    encrypt(secret, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(sealed, purpose) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < headBytes || bytes[0] !== version) throw new Error('not a sealed secret of a known version');
      const nonce = bytes.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(1 + nonceBytes, headBytes));
      return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString('utf8');
    },
  };
}
