import { z } from 'zod';
import { errorTable, isErrorName, type ErrorData, type ErrorName } from '../domain/errors.ts';

/** The one shape of every JSON answer (interface: "Response envelope"). `timestamp` is Unix time in milliseconds. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly timestamp: number;
}

export function success(data: unknown, now: Date): Envelope {
  return { code: 0, message: 'success', data, timestamp: now.getTime() };
}

export function failure(name: ErrorName, data: ErrorData | null, now: Date, text?: string): Envelope {
  return { code: errorTable[name].code, message: text ?? errorTable[name].text, data, timestamp: now.getTime() };
}

/** Answers that are no failure and yet have a code, such as authorization_pending: the shape of their data. */
export type Signals = Readonly<Partial<Record<ErrorName, z.ZodType>>>;

/** The response schema of a successful answer around the schema of its data; `signals` share its HTTP status. */
export function envelopeOf(data: z.ZodType, signals: Signals = {}): z.ZodType {
  const succeeded = z.object({ code: z.literal(0), message: z.literal('success'), data, timestamp: z.int() });
  const names = Object.keys(signals).filter(isErrorName);
  if (names.length === 0) return succeeded;
  const others = names.map((name) =>
    z.object({
      code: z.literal(errorTable[name].code),
      message: z.string(),
      data: signals[name] ?? z.null(),
      timestamp: z.int(),
    }),
  );
  const described = names.map((name) => `${errorTable[name].code} ${name}`).join(', ');
  return z
    .discriminatedUnion('code', [succeeded, ...others])
    .meta({ description: `Success with code 0, or ${described}` });
}

/** The response schema of all errors that share an HTTP status. */
export function errorEnvelopeOf(names: readonly ErrorName[]) {
  const codes = [...new Set(names.map((name) => errorTable[name].code))];
  const described = names.map((name) => `${errorTable[name].code} ${name}: ${errorTable[name].text}`);
  const first = names[0] ?? 'internal_error';
  return z
    .object({
      code: z.union(codes.map((code) => z.literal(code))),
      message: z.string(),
      data: z.record(z.string(), z.unknown()).nullable(),
      timestamp: z.int(),
    })
    .meta({
      description: described.join('\n\n'),
      examples: [{ ...failure(first, null, new Date(1_790_000_000_000)) }],
    });
}
