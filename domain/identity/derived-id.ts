import { createHash } from 'node:crypto';

/**
 * A UUID (version 8) that is a function of its parts: a retry with the same caller and idempotency key, or the same
 * transaction and step, finds the same object. Parts are length-prefixed, so no two lists of parts collide by joining.
 */
export function derivedId(kind: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of [kind, ...parts]) hash.update(`${Buffer.byteLength(part)}:${part}`);
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
