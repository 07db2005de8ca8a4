import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type AgentPerson, type Person, type Service } from '../harness.ts';
import { keyOf } from '../api/limited-key.ts';
import { connect } from './tool-client.ts';

let service: Service;
let agent: AgentPerson;
let human: Person;
beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: 'https://app.example' });
  agent = await service.agent();
  human = await service.human();
});
afterAll(async () => await service.close());

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const toolsList = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const accept = 'application/json, text/event-stream';

/** Unlike fetch, sends the Host that it is told. */
async function post(headers: Record<string, string>, body: unknown = toolsList, method = 'POST'): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const all = { 'content-type': 'application/json', accept, ...headers };
  const sent = httpRequest(new URL('/mcp', service.url), { method, headers: all }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
  });
  sent.on('error', reject);
  sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  return await promise;
}

function errorOf({ text }: HttpAnswer) {
  return JSON.parse(text) as { id: unknown; error: { code: number; message: string; data: Record<string, unknown> } };
}

describe('who may come in', () => {
  it('nobody without credentials: 401 with a challenge, as a JSON-RPC error that names the row of the error table', async () => {
    const answer = await post({});
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="marketplace"');
    expect(errorOf(answer)).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_000, data: { code: 4010, name: 'unauthenticated' } },
    });
    expect((await post({ authorization: 'Bearer wrong' })).headers['www-authenticate']).toContain('Bearer');
    expect((await post({}, '', 'GET')).status).toBe(401);
  });

  it('not with a key that does not hold, nor with both kinds of credentials', async () => {
    const keyHeaders = await agent.headers();
    const unknown = await post({ ...keyHeaders, 'x-api-key': `${agent.apiKey}x` });
    expect([unknown.status, errorOf(unknown).error.data['code']]).toEqual([401, 4012]);
    const mixed = await post({ ...keyHeaders, ...(await human.headers()) });
    expect([mixed.status, errorOf(mixed).error.data['code']]).toEqual([400, 4003]);
    const other = await post({ ...keyHeaders, 'x-platform-user-id': human.userId });
    expect([other.status, errorOf(other).error.data['code']]).toEqual([403, 4034]);
  });

  it('agents and humans with their own credentials', async () => {
    for (const person of [agent, human]) {
      const answer = await post(await person.headers());
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('a key does only what its operations are', async () => {
    const { apiKey } = await keyOf(service, agent, { operations: ['read'] });
    const reader = await connect(service.url, agent, '2026-07-28', { 'x-api-key': apiKey });
    expect((await reader.ask('get_wallet')).isError).toBe(false);
    const buying = { capability_id: randomUUID(), idempotency_key: randomUUID() };
    const refused = { code: 4030, name: 'forbidden', data: { operation: 'buy' } };
    expect(await reader.ask('buy_capability', buying)).toMatchObject({ isError: true, data: refused });
    expect(await reader.ask('invoke_capability', buying)).toMatchObject({ isError: true, data: refused });
    const selling = { transaction_id: randomUUID(), operation: 'accept', idempotency_key: randomUUID() };
    expect(await reader.ask('operate_transaction', selling)).toMatchObject({ data: { data: { operation: 'sell' } } });
    const confirming = { ...selling, operation: 'confirm' };
    expect(await reader.ask('operate_transaction', confirming)).toMatchObject({ data: { data: { operation: 'buy' } } });
    const buyer = await keyOf(service, agent, { operations: ['buy'] });
    const blind = await connect(service.url, agent, '2026-07-28', { 'x-api-key': buyer.apiKey });
    expect(await blind.ask('get_wallet')).toMatchObject({ isError: true, data: { name: 'forbidden' } });
  });
});

describe('where a request comes from', () => {
  it('only under the name of PUBLIC_URL or of this machine', async () => {
    const mine = await agent.headers();
    for (const host of ['marketplace.test', 'marketplace.test:8080', 'localhost:3000', '127.0.0.1', '[::1]:3000']) {
      expect((await post({ ...mine, host })).status, host).toBe(200);
    }
    for (const host of ['evil.example', 'marketplace.test.evil.example', 'localhost.evil.example:3000']) {
      const answer = await post({ ...mine, host });
      expect([answer.status, errorOf(answer).error.data['name']], host).toEqual([403, 'forbidden']);
    }
  });

  it('only from pages of PUBLIC_URL, CORS_ORIGINS or this machine', async () => {
    const mine = await agent.headers();
    for (const origin of ['http://marketplace.test', 'https://app.example', 'http://localhost:6274']) {
      expect((await post({ ...mine, origin })).status, origin).toBe(200);
    }
    for (const origin of ['https://evil.example', 'https://app.example:8443', 'null', 'http://127.0.0.1.evil.example'])
      expect((await post({ ...mine, origin })).status, origin).toBe(403);
  });
});

describe('what a request may be', () => {
  it('one well-formed JSON-RPC message of bounded size', async () => {
    const mine = await agent.headers();
    const broken = await post(mine, '{"jsonrpc":');
    expect([broken.status, errorOf(broken).error.code]).toEqual([400, -32_700]);
    const batch = await post(mine, [toolsList, toolsList]);
    expect([batch.status, errorOf(batch).error.code]).toEqual([400, -32_600]);
    expect((await post(mine, '')).status).toBe(400);
    expect((await post({ ...mine, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(mine, { ...toolsList, params: { pad: 'x'.repeat(300 * 1024) } })).status).toBe(413);
  });

  it('no session: GET and DELETE have nothing to answer', async () => {
    const mine = await agent.headers();
    expect((await post(mine, '', 'GET')).status).toBe(405);
    expect((await post(mine, '', 'DELETE')).status).toBe(405);
  });

  it('nothing of the public description', async () => {
    expect((await service.call('GET', '/api/v1/public/openapi.json')).text).not.toContain('/mcp');
  });
});

describe('limits', () => {
  it('RATE_LIMIT_PER_MIN holds for each caller, with Retry-After', async () => {
    const strict = await startService({ RATE_LIMIT_PER_MIN: '5' });
    try {
      const one = await strict.agent();
      const other = await strict.agent();
      const ask = async (person: Person) =>
        await fetch(new URL('/mcp', strict.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept, ...(await person.headers()) },
          body: JSON.stringify(toolsList),
        });
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) statuses.push((await ask(one)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      const limited = await ask(one);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await limited.json()).toMatchObject({ error: { data: { code: 4290 } } });
      expect((await ask(other)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});
