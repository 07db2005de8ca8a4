import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});

const base = 'http://marketplace.test/api/v1/a2a';

it.each(['/.well-known/agent-card.json', '/api/v1/a2a/agent-card'])('%s serves 1.0 and 0.3', async (path) => {
  const card = (await (await fetch(service.url + path)).json()) as Record<string, unknown>;
  expect(card).toMatchObject({
    url: base,
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3.0',
    supportedInterfaces: [
      { url: base, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: base, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', apiKeySecurityScheme: { location: 'header' } },
      bearer: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'bearer' } },
    },
    security: [{ apiKey: [], platformUserId: [] }, { bearer: [] }],
  });
  expect(card['description']).toContain('messageId');
});

it.each(['/.well-known/agent.json', '/api/v1/a2a/v0/agent-card'])('%s serves v0.1', async (path) => {
  const card = (await (await fetch(service.url + path)).json()) as Record<string, unknown>;
  expect(card).toMatchObject({ url: `${base}/v0`, capabilities: { streaming: true, pushNotifications: true } });
  expect(card['authentication']).toMatchObject({ schemes: ['ApiKey', 'Bearer'] });
});

it('may be kept for a while, and is not sent again to who has it', async () => {
  const url = `${service.url}/.well-known/agent-card.json`;
  const first = await fetch(url);
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('is not part of the description of the REST interface', async () => {
  const { text } = await service.call('GET', '/api/v1/public/openapi.json');
  expect(text).not.toMatch(/a2a|agent-card/);
});
