import { z } from 'zod';
import { isStorableJson } from '../domain/storable-json.ts';
import { formatUt, maxMicroUt, parseUt } from '../domain/ut.ts';

/** Shapes that several resources share. */

export const uuid = z.uuid('must be a UUID').toLowerCase();
export const datetime = z.string().meta({ format: 'date-time', examples: ['2026-11-21T09:00:00.000Z'] });

/** Output form of an amount. */
export const ut = z.string().meta({
  id: 'Ut',
  description: 'UT amount as a decimal string, two to six fraction digits',
  pattern: String.raw`^-?\d{1,14}\.\d{2,6}$`,
  examples: ['12.50'],
});

/** Input form of an amount, at least 0: a decimal string or a number; becomes the canonical string. */
export const utInput = z
  .union([z.string(), z.number()])
  .transform((given, context) => {
    const micro = parseUt(String(given));
    if (micro !== null && micro >= 0n && micro <= maxMicroUt) return formatUt(micro);
    context.addIssue({
      code: 'custom',
      message: 'must be a decimal of at least 0, at most 14 integer and 6 fraction digits',
    });
    return z.NEVER;
  })
  .meta({
    id: 'UtAmount',
    description: 'UT amount, at least 0, as a decimal string or a number',
    pattern: String.raw`^(0|[1-9]\d{0,13})(\.\d{1,6})?$`,
    minimum: 0,
    examples: ['12.50'],
  });

export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
};

/** The paged list payload (interface: "Paged list payload"). */
export function pagedOf(item: z.ZodType) {
  return z.object({
    items: z.array(item),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    has_more: z.boolean(),
  });
}

export interface Page {
  readonly page: number;
  readonly page_size: number;
}

/** Builds the paged payload from a page of items and the total. */
export function paged<T>(items: readonly T[], total: number, { page, page_size }: Page) {
  return { items: [...items], total, page, page_size, has_more: page * page_size < total };
}

export const emptyBody = z.strictObject({}).nullish();

/** A JSON object that can be kept as it came. */
export const jsonObject = z.record(z.string(), z.unknown()).refine(isStorableJson, {
  message:
    'must hold no NUL, no half of a surrogate pair, no number beyond a double, few with large exponents, and at most 100 levels',
  // What comes after it may walk through the value.
  abort: true,
});

/** Words of 1 to `maxLength` characters; PostgreSQL holds no NUL. */
export function text(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((given) => !given.includes('\0'), 'must not contain NUL');
}

/** The body's form of the header Idempotency-Key; the way of the request has read it by itself. */
export const bodyKey = text(64).meta({ description: 'Counts as the header Idempotency-Key', examples: ['order-4711'] });
