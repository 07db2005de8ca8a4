import { readFile, writeFile } from 'node:fs/promises';
import { describeApi } from './api-document.ts';
import { schemaFile, schemaFileOf } from './schema-file.ts';

/** `npm run client:generate`: makes the types of the client anew from the description of the service as it stands here. */
const made = await schemaFileOf(await describeApi());
const before = await readFile(schemaFile, 'utf8').catch(() => '');
if (made !== before) await writeFile(schemaFile, made);
console.log(made === before ? `${schemaFile} is up to date.` : `${schemaFile} was written.`);
