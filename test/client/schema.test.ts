import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorCodes } from '../../api/client/generated/error-code.ts';
import { unkeyedWrites } from '../../api/client/generated/unkeyed-write.ts';
import { openApiPath } from '../../api/plugins/openapi.ts';
import { errorTable } from '../../domain/errors.ts';
import { describeApi } from '../../ops/client/api-document.ts';
import { generatedFolder, schemaFilesOf } from '../../ops/client/schema-file.ts';
import { startService, type Service } from '../harness.ts';

let service: Service;
let served: string;
beforeAll(async () => {
  service = await startService();
  served = (await service.call('GET', openApiPath)).text;
});
afterAll(async () => {
  await service.close();
});

it('is what the served description makes; if not: npm run client:generate', async () => {
  const made = await schemaFilesOf(served);
  expect(await readdir(generatedFolder)).toEqual([...made.keys()].toSorted());
  for (const [name, text] of made) {
    const committed = (await readFile(`${generatedFolder}/${name}`, 'utf8')).split('\n');
    // Compared by line, as a difference of thousands of lines is told by none.
    const wanted = text.split('\n');
    const differing = committed.findIndex((line, index) => line !== wanted[index]);
    expect({ name, differing, lines: committed.length }).toEqual({ name, differing: -1, lines: wanted.length });
  }
});

it('can be made without a database: the description is the one that is served', async () => {
  const { servers: _own, ...made } = JSON.parse(await describeApi()) as Record<string, unknown>;
  const { servers: _public, ...expected } = JSON.parse(served) as Record<string, unknown>;
  expect(made).toEqual(expected);
});

it('has every code of the table of errors, and knows the writes that have no idempotency', () => {
  expect(errorCodes).toEqual(Object.fromEntries(Object.entries(errorTable).map(([name, { code }]) => [name, code])));
  expect(unkeyedWrites).toContain('POST /api/v1/auth/login');
  expect(unkeyedWrites).not.toContain('POST /api/v1/transactions');
});
