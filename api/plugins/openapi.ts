import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { errorTable } from '../../domain/errors.ts';
import type { Settings } from '../../domain/settings.ts';
import { apiDescription, apiTags } from './openapi-description.ts';
import { tidyComponents } from './openapi-components.ts';
import { transformDocument, transformRoute, unfoldParameters } from './openapi-schemas.ts';

export const openApiPath = '/api/v1/public/openapi.json';

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: "A platform's key; callers with it are agents",
  },
  PlatformUserId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Platform-User-Id',
    description: 'The user on whose behalf the agent calls, who has granted the platform that right',
  },
  Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a signed-in human' },
} as const;

/** For generated clients: the table of errors in a form that needs no reading. */
const extensions = {
  'x-error-codes': Object.fromEntries(Object.entries(errorTable).map(([name, { code }]) => [name, code])),
};

const idempotencyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Required for agents, honoured for humans. The same key again gets the stored answer.',
      examples: ['0b6f2c1e-purchase-4711'],
    },
  },
} as const;

/** Describes every public route; must be registered before the first. Served as a plain document and as a page. */
export async function registerOpenApi(app: FastifyInstance, settings: Settings): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Marketplace Service', version: '1.0.0', description: apiDescription() },
      servers: [{ url: settings.publicUrl }],
      tags: [...apiTags],
      components: { securitySchemes },
      ...extensions,
    },
    stripBasePath: false,
    convertConstToEnum: false,
    transform: (document) => {
      const { schema, url } = transformRoute(document);
      if (schema === undefined || schema.hide === true) return { schema, url };
      const { querystring, ...rest } = schema;
      const write = document.route.config?.write;
      const headers = write === 'plain' || write === 'workflow' ? { headers: idempotencyHeader } : {};
      const query = querystring === undefined ? {} : { querystring: unfoldParameters(querystring) };
      return { schema: { ...rest, ...query, ...headers }, url };
    },
    transformObject: (document) => tidyComponents(transformDocument(document)),
  });
  serveDocument(app);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // `urls`, because the package overrules `url` by a copy of its own.
    uiConfig: {
      urls: [{ url: openApiPath, name: 'Marketplace Service' }],
      deepLinking: true,
      displayRequestDuration: true,
      validatorUrl: null,
    },
    theme: { title: 'Marketplace Service' },
    staticCSP: pagePolicy,
  });
}

// The page needs its own scripts, inline styles and data: images; nothing comes from elsewhere.
const pagePolicy = {
  'default-src': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
};

function serveDocument(app: FastifyInstance): void {
  let served: { readonly body: string; readonly etag: string } | null = null;
  app.get(openApiPath, { schema: { hide: true } }, async (request, reply) => {
    served ??= stamped(JSON.stringify(app.swagger()));
    reply.header('etag', served.etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === served.etag) return await reply.code(304).send();
    return await reply.type('application/json; charset=utf-8').serializer(String).send(served.body);
  });
}

function stamped(body: string): { body: string; etag: string } {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
