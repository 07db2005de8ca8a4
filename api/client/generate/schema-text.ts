import openapiTS, { astToString } from 'openapi-typescript';

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

type Operations = Readonly<Record<string, Operation>>;

/** As much of the description as is looked at here; the types are made from the whole. */
interface Description {
  readonly paths: Readonly<Record<string, Operations>>;
  readonly components: { readonly responses?: unknown };
  readonly 'x-error-codes': Readonly<Record<string, number>>;
}

const origin = '// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.';
const keyHeader = 'Idempotency-Key';

/** The files of `schema/` for a description in JSON, by name: its types, and the few facts that the client needs to run. */
export async function schemaTextsOf(json: string): Promise<Readonly<Record<string, string>>> {
  const description = JSON.parse(json) as Description;
  // In a request a field with a default may be left out; answers have no defaults.
  const nodes = await openapiTS(JSON.stringify(asCalled(description)), { defaultNonNullable: false });
  const typeOf = (name: string) => astToString(nodes.filter((node) => 'name' in node && nameOf(node.name) === name));
  const errorCodes = JSON.stringify(description['x-error-codes']);
  const unkeyedWrites = JSON.stringify(unkeyedWritesOf(description));
  const texts = {
    'path.ts': `import type { components } from './component.ts';\n\n${typeOf('paths')}`,
    'component.ts': typeOf('components'),
    'error-code.ts': `/** The table of errors: name → code. */\nexport const errorCodes = ${errorCodes} as const;`,
    'unkeyed-write.ts': `/** Writes that take no Idempotency-Key. */\nexport const unkeyedWrites = ${unkeyedWrites} as const;`,
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, `${origin}\n\n${text}`]));
}

function nameOf(name: unknown): string | undefined {
  return (name as { readonly text?: string }).text;
}

/** What a caller writes and reads: refusals are thrown, all of one class, and the client makes the keys. */
function asCalled({ paths, components, ...rest }: Description): object {
  const { responses: _refusals, ...kept } = components;
  const called = Object.entries(paths).map(([path, operations]) => {
    const mine = Object.entries(operations).map(([method, operation]) => [method, ofCaller(operation)]);
    return [path, Object.fromEntries(mine)];
  });
  return { ...rest, paths: Object.fromEntries(called), components: kept };
}

function ofCaller({ operationId: _id, parameters = [], responses, ...rest }: Operation): object {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return { ...rest, parameters: parameters.filter((one) => !isKey(one)), responses: Object.fromEntries(successes) };
}

function unkeyedWritesOf({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { parameters = [] }]) => method !== 'get' && !parameters.some(isKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

function isKey({ name }: { readonly name: string }): boolean {
  return name === keyHeader;
}
