import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { schemaTextOf } from '../../api/client/generate/schema-text.ts';

/** Where the types of the client are kept. */
export const schemaFile = fileURLToPath(new URL('../../api/client/schema.ts', import.meta.url));

/** What that file has to be for a description in JSON, formatted as everything is. */
export async function schemaFileOf(description: string): Promise<string> {
  const options = await resolveConfig(schemaFile);
  return await format(await schemaTextOf(description), { ...options, filepath: schemaFile });
}
