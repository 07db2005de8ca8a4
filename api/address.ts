import { isIP } from 'node:net';

/** The address as PostgreSQL keeps one; null where a proxy that is believed names something else. */
export function storableAddress(address: string): string | null {
  const [withoutZone = ''] = address.split('%');
  return isIP(withoutZone) === 0 ? null : withoutZone.replace(/^::ffff:(?=\d+\.)/i, '');
}
