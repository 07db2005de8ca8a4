import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../../domain/errors.ts';
import { transactionStatuses } from '../../domain/transaction/transaction.ts';
import { startService, type Service } from '../harness.ts';

interface Media {
  readonly schema: Record<string, unknown>;
  readonly example?: unknown;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Record<string, unknown>;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: string[];
  readonly security: Record<string, string[]>[];
  readonly parameters?: Parameter[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly description?: string; readonly content?: Record<string, Media> }
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: { readonly url: string }[];
  readonly tags: { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Record<string, unknown>>;
    readonly responses: Record<string, { readonly description: string; readonly content: Record<string, Media> }>;
    readonly securitySchemes: Record<string, unknown>;
  };
}

let service: Service;
let document: Document;
let operations: { readonly path: string; readonly method: string; readonly operation: Operation }[];

const address = '/api/v1/public/openapi.json';

beforeAll(async () => {
  service = await startService();
  document = JSON.parse((await service.call('GET', address)).text) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});
afterAll(async () => await service.close());

/** The schema with references that lead into the document from outside of it. */
function absolute(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')) as object;
}

function resolved(schema: Record<string, unknown>): Record<string, unknown> {
  const ref = schema['$ref'];
  const name = typeof ref === 'string' ? (ref.split('/').at(-1) ?? '') : '';
  return document.components.schemas[name] ?? schema;
}

describe('the description', () => {
  test('is served plain, without credentials, with an ETag that saves the second transfer', async () => {
    const response = await fetch(service.url + address);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(document).not.toHaveProperty('code');
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await fetch(service.url + address, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('is OpenAPI 3.1 of this service and says how to call it', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://marketplace.test' }] });
    for (const word of ['Envelope', 'Idempotency-Key', 'Money', 'X-Platform-User-Id']) {
      expect(document.info.description).toContain(word);
    }
    expect(document.components.securitySchemes).toMatchObject({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      PlatformUserId: { type: 'apiKey', in: 'header', name: 'X-Platform-User-Id' },
      Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
  });

  test('has every row of the table of errors', () => {
    for (const [name, { code, httpStatus }] of Object.entries(errorTable)) {
      expect(document.info.description).toContain(`| ${code} | ${httpStatus} | ${name} |`);
    }
  });

  test('has what the interface names, in its own form of paths', () => {
    for (const [path, method] of [
      ['/api/v1/categories', 'get'],
      ['/api/v1/wallet', 'get'],
      ['/api/v1/capabilities', 'post'],
      ['/api/v1/capabilities', 'get'],
      ['/api/v1/capabilities/{cap_id}', 'put'],
      ['/api/v1/capabilities/{cap_id}', 'delete'],
      ['/api/v1/capabilities/batch', 'post'],
      ['/api/v1/capabilities/{cap_id}/rotate-secret', 'post'],
      ['/api/v1/capabilities/{cap_id}/test-callback', 'post'],
      ['/api/v1/capabilities/{cap_id}/deliveries', 'get'],
      ['/api/v1/transactions', 'post'],
      ['/api/v1/transactions/{tx_id}/confirm', 'post'],
    ] as const) {
      expect(document.paths[path]?.[method], `${method} ${path}`).toBeDefined();
    }
    expect(Object.keys(document.paths).filter((path) => path.includes(':'))).toEqual([]);
  });

  test('hides administration, health, pages and itself', () => {
    const hidden = /admin|health|ready|metrics|docs|openapi|well-known|pricing/;
    expect(Object.keys(document.paths).filter((path) => hidden.test(path))).toEqual([]);
  });

  test('explains every tag that is used', () => {
    const known = new Set(document.tags.map((tag) => tag.name));
    expect(
      [...new Set(operations.flatMap(({ operation }) => operation.tags))].filter((tag) => !known.has(tag)),
    ).toEqual([]);
  });
});

describe('every operation', () => {
  test('has an id of its own and a summary', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ operation }) => (operation.summary ?? '') === '')).toEqual([]);
  });

  test('declares the parameters of its path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path');
      expect(declared.map((one) => ({ path, name: one.name, required: one.required }))).toEqual(
        inPath.map((name) => ({ path, name, required: true })),
      );
    }
  });

  test('that writes takes an optional Idempotency-Key, and no other does', () => {
    const keyed = operations.filter(({ operation }) =>
      operation.parameters?.some((one) => one.name === 'Idempotency-Key'),
    );
    expect(keyed.length).toBeGreaterThan(5);
    for (const { method, operation } of keyed) {
      expect(method).not.toBe('get');
      expect(operation.parameters?.find((one) => one.name === 'Idempotency-Key')).toMatchObject({
        in: 'header',
        required: false,
      });
    }
    const ids = keyed.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(['createCapability', 'updateCapability', 'deleteCapability']));
  });

  test('answers an envelope, with the data of success and the errors it may meet', () => {
    const inJson = operations.flatMap(({ operation: { operationId, responses } }) => {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
      const json = success?.[1].content?.['application/json'];
      // An answer with a code of its own beside success has an envelope for each.
      const envelopes = (json?.schema['oneOf'] ?? [json?.schema]) as (object | undefined)[];
      const statuses = Object.keys(responses);
      return envelopes.flatMap((schema) => (schema === undefined ? [] : [{ operationId, statuses, schema }]));
    });
    expect(inJson.length).toBeGreaterThan(20);
    for (const { operationId, statuses, schema } of inJson) {
      const { properties = {} } = schema as { properties?: Record<string, object> };
      const { data = {} } = properties;
      expect({ operationId, fields: Object.keys(properties), typed: Object.keys(data).length > 0, statuses }).toEqual({
        operationId,
        fields: ['code', 'message', 'data', 'timestamp'],
        typed: true,
        statuses: expect.arrayContaining(['429', '500', '503']),
      });
    }
  });

  test('that needs credentials says which, and lists 401, and 400 for two at once', () => {
    const open = operations.filter(({ operation }) => operation.security.length === 0);
    expect(open.map(({ operation }) => operation.operationId)).toContain('listCategories');
    const silent = operations.filter(
      ({ operation: { security, responses } }) => security.length > 0 && !('401' in responses && '400' in responses),
    );
    expect(silent.map(({ operation }) => operation.operationId)).toEqual([]);
  });
});

describe('the schemas', () => {
  test('have no empty type, and those of money are strings with a pattern', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, object>);
      const empty = [[name, schema] as const, ...fields].filter(([, type]) => Object.keys(type).length === 0);
      expect({ name, empty }).toEqual({ name, empty: [] });
    }
    expect(document.components.schemas['Ut']).toMatchObject({ type: 'string', pattern: expect.any(String) });
    expect(document.components.schemas['UtAmount']).toMatchObject({ type: ['string', 'number'], minimum: 0 });
  });

  test('name the closed lists of the domain, wherever they occur', () => {
    const { Capability, CreateCapabilityRequest, Transaction } = document.components.schemas;
    const status = { $ref: '#/components/schemas/TransactionStatus' };
    expect(Transaction?.['properties']).toMatchObject({ status });
    const pricing_model = { $ref: '#/components/schemas/PricingModel' };
    for (const schema of [Capability, CreateCapabilityRequest])
      expect(schema?.['properties']).toMatchObject({ pricing_model });
    expect(document.components.schemas['TransactionStatus']).toEqual({ type: 'string', enum: transactionStatuses });
    const withoutComponents = JSON.stringify(document.paths);
    expect(withoutComponents).not.toContain(JSON.stringify(transactionStatuses));
  });

  test('are each referred to, under a name without a suffix, and every reference leads somewhere', () => {
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([^"]+)"/g)];
    expect(refs.length).toBe([...text.matchAll(/"\$ref"/g)].length);
    const found = new Set(refs.map((match) => `${match[1]}/${match[2]}`));
    const schemas = Object.keys(document.components.schemas).map((name) => `schemas/${name}`);
    const responses = Object.keys(document.components.responses).map((name) => `responses/${name}`);
    expect([...found].toSorted()).toEqual([...schemas, ...responses].toSorted());
    expect(schemas.filter((name) => name.endsWith('Input'))).toEqual([]);
  });

  test('compile as JSON Schema 2020-12, and every example of a body, parameter and error holds', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'doc', components: document.components });
    const holds = (label: string, schema: unknown, example: unknown) => {
      const validate = ajv.compile(absolute(schema));
      validate(example);
      expect({ label, errors: validate.errors ?? [] }).toEqual({ label, errors: [] });
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      ajv.compile(absolute(schema));
      for (const example of (schema['examples'] ?? []) as unknown[]) holds(name, schema, example);
    }
    for (const [name, { content }] of Object.entries(document.components.responses)) {
      const json = content['application/json'];
      if (json !== undefined && 'example' in json) holds(name, json.schema, json.example);
    }
    for (const { operation } of operations) {
      for (const one of operation.parameters ?? []) {
        const label = `${operation.operationId} ${one.name}`;
        if ('example' in one) holds(label, one.schema, one.example);
        else ajv.compile(absolute(one.schema));
      }
      const body = operation.requestBody?.content['application/json'];
      if (body !== undefined && 'example' in body) holds(operation.operationId, body.schema, body.example);
    }
  });

  test('do not ask for a body where none is needed', () => {
    const bodies = Object.fromEntries(
      operations.map(({ operation }) => [operation.operationId, operation.requestBody]),
    );
    expect(bodies['freezeTransaction']).toBeUndefined();
    expect(bodies['deliverTransaction']).toMatchObject({ required: false });
    expect(bodies['rotateCallbackSecret']).toMatchObject({ required: false });
    expect(bodies['createCapability']).toMatchObject({ required: true });
  });

  test('show an example of every body', () => {
    const bare = operations.filter(({ operation }) => {
      const body = operation.requestBody?.content['application/json'];
      return body !== undefined && !('example' in body) && resolved(body.schema)['examples'] === undefined;
    });
    expect(bare.map(({ operation }) => operation.operationId)).toEqual([]);
  });
});

describe('the page of the description', () => {
  test('loads under a policy of its own that allows no foreign script', async () => {
    const page = await service.call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests/);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      const reply = await service.call('GET', new URL(asset, 'http://x/docs').pathname);
      const served = { asset, status: reply.status, policy: reply.headers.get('content-security-policy') };
      expect(served).toEqual({ asset, status: 200, policy });
    }
    expect(page.text).not.toMatch(/<script>|onload=|<style/);
  });

  test('shows the public description, and only the page has the looser policy', async () => {
    const initializer = await service.call('GET', '/docs/static/swagger-initializer.js');
    expect(initializer.text).toContain(address);
    const elsewhere = await service.call('GET', '/api/v1/categories');
    expect(elsewhere.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
