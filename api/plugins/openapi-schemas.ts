import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Override = (given: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => void;

/**
 * zod leaves examples and defaults of an input that is transformed out, as they might be of the output's type. Here
 * they are in the form of the wire, and the description wants them. The bounds of every safe integer say nothing.
 */
export const override: Override = ({ zodSchema, jsonSchema }) => {
  const examples: unknown = z.globalRegistry.get(zodSchema)?.['examples'];
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

const zodToJsonConfig = { override };

/** Makes the schemas of one route those of the description. */
export const transformRoute = createJsonSchemaTransform({ zodToJsonConfig });

/** Adds the named schemas to the description as its components. */
export const transformDocument = createJsonSchemaTransformObject({ zodToJsonConfig });

/** A parameter that is a reference only would lose its own description and example: it becomes a part of it. */
export function unfoldParameters(querystring: unknown): unknown {
  const { properties, ...rest } = querystring as { properties?: Record<string, JsonSchema> };
  const unfolded = Object.entries(properties ?? {}).map(([name, { $ref, ...own }]) => [
    name,
    $ref === undefined ? own : { allOf: [{ $ref }], ...own },
  ]);
  return { ...rest, properties: Object.fromEntries(unfolded) as unknown };
}
