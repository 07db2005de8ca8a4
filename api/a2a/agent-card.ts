import { createHash } from 'node:crypto';
import { AgentCard, type AgentSkill } from '@a2a-js/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'Marketplace';
const version = '1.0.0';

/** ASCII, like all of a card: some verifiers of signatures write other characters as escapes, which RFC 8785 does not. */
const description = [
  'A marketplace on which agents and humans buy and sell capabilities, priced in UT. A task is a transaction, its contextId',
  "the transaction's context_id; metadata.transaction has the exact status.",
  'A text part is a demand in words: the answer proposes capabilities. A data part with a capability_id buys, with the fields',
  'of POST /api/v1/transactions; metadata {"freeze": true} freezes the price at once. A data part {"operation": name} on a task',
  'carries out freeze, accept, reject, deliver, confirm, cancel, dispute or request_changes, with the fields of the REST body.',
  'Every write is done once for one idempotency key: the header Idempotency-Key, or metadata.idempotency_key, or else the',
  "message's messageId; in v0.1 the client's task id for a purchase, and the JSON-RPC id for an operation on it.",
  'A SendMessage that waits does so for 3 seconds at most: follow the task by a stream, or by push notifications. These come',
  'at least once, a repetition under the same webhook-id; webhook-signature is of the kind v1a (Ed25519, Standard Webhooks)',
  'by a key of /.well-known/jwks.json. A config with the scheme Bearer and no credentials gets a JWT of the platform.',
].join(' ');

const skills: AgentSkill[] = [
  skill(
    'find',
    'Find capabilities',
    'Proposes capabilities for a demand in words.',
    ['search', 'catalogue'],
    ['hourly weather data for Oslo'],
  ),
  skill(
    'buy',
    'Buy a capability',
    'Buys a capability and holds the price until the delivery is confirmed.',
    ['purchase'],
    ['{"capability_id": "019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d"}'],
  ),
  skill(
    'trade',
    'Carry a transaction on',
    'Freezes, accepts, delivers, confirms, disputes, cancels.',
    ['transaction'],
    ['{"operation": "confirm"}'],
  ),
];

/** The names under which a card lists the headers that the service reads. */
const credentials = {
  apiKey: { name: 'X-Api-Key', description: "A platform's key; callers with it are agents" },
  platformUserId: {
    name: 'X-Platform-User-Id',
    description: 'The user on whose behalf the agent calls, who has granted the platform that right',
  },
  bearer: { name: 'Authorization', description: 'Access token of a signed-in human' },
} as const;

/** The card of 1.0, as the SDK has it. */
export function agentCard(publicUrl: string): AgentCard {
  const url = `${publicUrl}/api/v1/a2a`;
  return {
    name,
    description,
    version,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      tenant: '',
      protocolVersion,
    })),
    provider: { url: publicUrl, organization: name },
    documentationUrl: `${publicUrl}/docs`,
    capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      apiKey: { scheme: { $case: 'apiKeySecurityScheme', value: { ...credentials.apiKey, location: 'header' } } },
      platformUserId: {
        scheme: { $case: 'apiKeySecurityScheme', value: { ...credentials.platformUserId, location: 'header' } },
      },
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: credentials.bearer.description, scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    securityRequirements: [
      { schemes: { apiKey: { list: [] }, platformUserId: { list: [] } } },
      { schemes: { bearer: { list: [] } } },
    ],
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills,
    signatures: [],
  };
}

/** The card that clients of 1.0 and 0.3 read at one place: the members of both, which do not contradict each other. */
export function sharedCard(publicUrl: string): Record<string, unknown> {
  const card = AgentCard.toJSON(agentCard(publicUrl)) as Record<string, unknown>;
  const schemes = card['securitySchemes'] as Record<string, object>;
  const { apiKey, platformUserId, bearer } = credentials;
  return {
    ...card,
    protocolVersion: '0.3.0',
    url: `${publicUrl}/api/v1/a2a`,
    preferredTransport: 'JSONRPC',
    securitySchemes: {
      apiKey: { ...schemes['apiKey'], type: 'apiKey', in: 'header', ...apiKey },
      platformUserId: { ...schemes['platformUserId'], type: 'apiKey', in: 'header', ...platformUserId },
      bearer: {
        ...schemes['bearer'],
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: bearer.description,
      },
    },
    security: [{ apiKey: [], platformUserId: [] }, { bearer: [] }],
  };
}

/** The card of v0.1. */
export function v0Card(publicUrl: string): Record<string, unknown> {
  return {
    name,
    description,
    url: `${publicUrl}/api/v1/a2a/v0`,
    provider: { organization: name, url: publicUrl },
    version,
    documentationUrl: `${publicUrl}/docs`,
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
    authentication: { schemes: ['ApiKey', 'Bearer'], credentials: null },
    defaultInputModes: ['text', 'data'],
    defaultOutputModes: ['text', 'data'],
    skills: skills.map(({ id, name: title, description: text, tags, examples }) => ({
      id,
      name: title,
      description: text,
      tags,
      examples,
    })),
  };
}

/** Makes what answers a card, which is the same for as long as the process lives; who has it already gets 304. */
export function cardAnswer(card: Readonly<Record<string, unknown>>) {
  const body = JSON.stringify(card);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  return async ({ headers: asked }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(headers);
    const tags = (asked['if-none-match'] ?? '').split(',');
    const known = new Set(tags.map((tag) => tag.trim().replace(/^W\//, '')));
    if (known.has(etag) || known.has('*')) return await reply.code(304).send();
    return await reply.type('application/json; charset=utf-8').send(body);
  };
}

function skill(id: string, title: string, text: string, tags: string[], examples: string[]): AgentSkill {
  const modes = { inputModes: [], outputModes: [], securityRequirements: [] };
  return { id, name: title, description: text, tags, examples, ...modes };
}
