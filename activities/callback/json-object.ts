import type { JsonObject } from '../../domain/capability/callback.ts';
import { isStorableJson } from '../../domain/storable-json.ts';

/**
 * Reads a JSON object as PostgreSQL can keep it: without the character NUL and without halves of surrogate pairs. A number
 * too large for a double is refused as well, since it would be kept as null. Null for everything else.
 */
export function readJsonObject(bytes: Uint8Array): JsonObject | null {
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return isStorableJson(value) ? (value as JsonObject) : null;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return null;
  }
}
