import type { z } from 'zod';
import { MarketplaceError } from '../domain/errors.ts';

/** Parses what no route has parsed. Throws validation_failed, which names every field at fault. */
export function parseBy<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...issue.path, key].join('.'),
          message: 'unknown field, or one that cannot be set',
        }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  );
  throw new MarketplaceError('validation_failed', { errors });
}
