import openapiTS, { astToString } from 'openapi-typescript';

type Operations = Readonly<Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>;

/** As much of the description as is looked at here; the types are made from the whole. */
interface Description {
  readonly paths: Readonly<Record<string, Operations>>;
  readonly 'x-error-codes': Readonly<Record<string, number>>;
}

/** The text of `schema.ts` for a description in JSON: its types, and the few facts that the client needs to run. */
export async function schemaTextOf(json: string): Promise<string> {
  const description = JSON.parse(json) as Description;
  // In a request a field with a default may be left out; answers have no defaults.
  const types = astToString(await openapiTS(json, { defaultNonNullable: false }));
  return [
    '// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.',
    types,
    `/** The table of errors: name → code. */
export const errorCodes = ${JSON.stringify(description['x-error-codes'])} as const;`,
    `/** Writes that take no Idempotency-Key. */
export const unkeyedWrites = ${JSON.stringify(unkeyedWritesOf(description))} as const;`,
  ].join('\n\n');
}

function unkeyedWritesOf({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { parameters = [] }]) => method !== 'get' && !parameters.some(isKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

function isKey({ name }: { readonly name: string }): boolean {
  return name === 'Idempotency-Key';
}
