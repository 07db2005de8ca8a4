import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { override } from '../plugins/openapi-schemas.ts';

/** The structured content of a result with isError: a row of the error table. */
export const refusal = z
  .object({
    code: z.int().describe('The code of the error table'),
    name: z.string().describe('Its name, such as insufficient_balance'),
    message: z.string().describe('What to do'),
    data: z.record(z.string(), z.unknown()).nullable().describe('What is needed to go on'),
  })
  .meta({ id: 'Refusal' });

/**
 * A schema as the SDK lists it. The SDK lets every value pass: a wrong one is to be refused with a row of the error table,
 * which `parseBy` does, and the SDK would not. Made once a process, as the SDK asks for it with every request.
 */
export function listedSchema(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const json = jsonSchemaOf(schema, io);
  const jsonSchema = { input: () => json, output: () => json };
  return { '~standard': { version: 1, vendor: 'marketplace', validate: (value) => ({ value }), jsonSchema } };
}

/** What a tool answers: its data, or a refusal. Some clients check the schema also where isError is set. */
export function listedOutput(data: z.ZodType): StandardSchemaWithJSON {
  return listedSchema(z.union([data, refusal]), 'output');
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, override: concise });
  return { $schema, type: 'object', ...json };
}

/** A model reads the list: what the format of a UUID says already is left out. */
function concise(given: Parameters<typeof override>[0]): void {
  override(given);
  if (given.jsonSchema.format === 'uuid') delete given.jsonSchema.pattern;
}
