import type { JsonObject } from '../../domain/capability/callback.ts';

/** Deeper than any honest result, and far from what would exhaust the stack of those who walk through it. */
const deepestLevel = 100;

/**
 * Reads a JSON object as PostgreSQL can keep it: without the character NUL and without halves of surrogate pairs. A number
 * too large for a double is refused as well, since it would be kept as null. Null for everything else.
 */
export function readJsonObject(bytes: Uint8Array): JsonObject | null {
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return isStorable(value) ? (value as JsonObject) : null;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return null;
  }
}

/** Goes through level by level, not by recursion: the depth is the sender's choice. */
function isStorable(root: object): boolean {
  let values: readonly unknown[] = [root];
  for (let depth = 1; values.length > 0; depth += 1) {
    const nested = values.filter((value) => typeof value === 'object' && value !== null);
    if (!values.every(isStorableAlone) || (depth > deepestLevel && nested.length > 0)) return false;
    values = nested.flatMap((value): unknown[] => Object.values(value));
  }
  return true;
}

function isStorableAlone(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.keys(value).every(isStorableText);
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
