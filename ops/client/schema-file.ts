import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { schemaTextsOf } from '../../api/client/generate/schema-text.ts';

/** Where what is made of the description is kept. */
export const generatedFolder = fileURLToPath(new URL('../../api/client/generated', import.meta.url));

/** What the files of that folder have to be for a description in JSON, by name, formatted as everything is. */
export async function schemaFilesOf(description: string): Promise<ReadonlyMap<string, string>> {
  const options = await resolveConfig(`${generatedFolder}/path.ts`);
  const texts = Object.entries(await schemaTextsOf(description));
  const formatted = texts.map(async ([name, text]) => {
    return [name, await format(text, { ...options, filepath: `${generatedFolder}/${name}` })] as const;
  });
  return new Map(await Promise.all(formatted));
}
