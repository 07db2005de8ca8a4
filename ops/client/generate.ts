import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describeApi } from './api-document.ts';
import { generatedFolder, schemaFilesOf } from './schema-file.ts';

/** `npm run client:generate`: makes the types of the client anew from the description of the service as it stands here. */
await mkdir(generatedFolder, { recursive: true });
const files = await schemaFilesOf(await describeApi());
for (const name of await readdir(generatedFolder)) if (!files.has(name)) await rm(`${generatedFolder}/${name}`);
for (const [name, made] of files) {
  const file = `${generatedFolder}/${name}`;
  const before = await readFile(file, 'utf8').catch(() => '');
  if (made !== before) await writeFile(file, made);
  console.log(made === before ? `${file} is up to date.` : `${file} was written.`);
}
