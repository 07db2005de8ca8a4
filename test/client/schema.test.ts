import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorCodes, unkeyedWrites } from '../../api/client/schema.ts';
import { openApiPath } from '../../api/plugins/openapi.ts';
import { errorTable } from '../../domain/errors.ts';
import { describeApi } from '../../ops/client/api-document.ts';
import { schemaFile, schemaFileOf } from '../../ops/client/schema-file.ts';
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
  const committed = await readFile(schemaFile, 'utf8');
  // Compared by line, as a difference of five thousand lines is told by none.
  const made = (await schemaFileOf(served)).split('\n');
  const differing = committed.split('\n').findIndex((line, index) => line !== made[index]);
  expect({ differing, lines: committed.split('\n').length }).toEqual({ differing: -1, lines: made.length });
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
