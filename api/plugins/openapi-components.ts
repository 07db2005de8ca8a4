import { enumComponents, nameEnums } from './openapi-enums.ts';

/** As much of an OpenAPI document as is looked at here. */
interface Document {
  readonly paths?: unknown;
  readonly components?: object;
}

type Named = Readonly<Record<string, unknown>>;

const schemaPrefix = '#/components/schemas/';

/** Leaves only the components that something refers to, under the names that readers expect. */
export function tidyComponents<T extends Document>(document: T): T {
  const { schemas: given, ...others } = (document.components ?? {}) as { schemas?: Named };
  const schemas: Named = { ...nameEnums(given), ...enumComponents };
  const shared = shareRefusals(nameEnums(document.paths));
  const used = reachable(shared.paths, shared.responses, schemas);
  const names = plainNames(used);
  const kept = [...used].toSorted().map((name) => [names.get(name) ?? name, schemas[name]] as const);
  const components = { ...others, responses: shared.responses, schemas: Object.fromEntries(kept) };
  return JSON.parse(JSON.stringify({ ...document, paths: shared.paths, components }), (key, value: unknown) => {
    if (key === 'description' && value === 'Default Response') return 'Success';
    if (key === 'requestBody') return honestBody(value as RequestBody);
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(schemaPrefix)) return value;
    const name = value.slice(schemaPrefix.length);
    return schemaPrefix + (names.get(name) ?? name);
  }) as T;
}

/**
 * The schema of a request body comes out under its name with `Input`, beside an output form that nothing refers to. The
 * input form gets the plain name where it is free.
 */
function plainNames(used: ReadonlySet<string>): ReadonlyMap<string, string> {
  const free = [...used].filter((name) => name.endsWith('Input') && !used.has(name.slice(0, -'Input'.length)));
  return new Map(free.map((name) => [name, name.slice(0, -'Input'.length)]));
}

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly schema: { readonly anyOf?: readonly object[] } }>>;
}

/** Every body comes out as required. One that may be null may also be left out; one without fields is not worth a word. */
function honestBody(body: RequestBody): unknown {
  const { schema, ...media } = body.content['application/json'] ?? { schema: {} };
  const filled = schema.anyOf?.filter((one) => !('type' in one && one.type === 'null')) ?? [];
  if (schema.anyOf === undefined || filled.length === schema.anyOf.length) return body;
  const [only = {}] = filled;
  if ('properties' in only && Object.keys(only.properties as object).length === 0) return undefined;
  const content = {
    'application/json': { ...media, schema: filled.length === 1 ? only : { ...schema, anyOf: filled } },
  };
  return { ...body, required: false, content };
}

/** Refusals are the same for most operations: each is written once, named by HTTP status and codes. */
function shareRefusals(paths: unknown): { readonly paths: unknown; readonly responses: Named } {
  const responses: Record<string, unknown> = {};
  const replaced: unknown = JSON.parse(JSON.stringify(paths ?? {}), (key, value: unknown) => {
    if (!/^[45]\d\d$/.test(key) || value === null || typeof value !== 'object') return value;
    const { description = '' } = value as { description?: string };
    const name = ['Error', key, ...[...description.matchAll(/^(\d{4}) (\w+):/gm)].map((match) => match[2])].join('.');
    responses[name] = value;
    return { $ref: `#/components/responses/${name}` };
  });
  return { paths: replaced, responses };
}

function reachable(paths: unknown, responses: unknown, schemas: Named): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...namesIn(paths), ...namesIn(responses)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...namesIn(schemas[name]));
  }
  return found;
}

function namesIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? '';
  return [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '');
}
