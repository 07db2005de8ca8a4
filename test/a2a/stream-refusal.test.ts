import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followFeed } from '../api/feed-client.ts';
import { keyOf } from '../api/limited-key.ts';
import { balances, openMarket, type Market } from '../api/purchase.ts';
import { startService, type AgentPerson, type Person, type Service } from '../harness.ts';
import { post, rpc, v0Path, v0Send } from './agent-client.ts';

let service: Service;
let agent: AgentPerson;
let market: Market;
let id: string;
beforeAll(async () => {
  service = await startService({ STREAMS_PER_USER: '1' });
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  agent = await service.agent();
  await service.credit(agent, '100');
  market = { ...(await openMarket(service)), buyer: agent };
  id = randomUUID();
});

const generations = ['0.1', '0.3', '1.0'] as const;
const path = '/api/v1/a2a';
const metadata = { freeze: true };

/** A purchase that asks for the stream of its task. */
async function buyStreaming(generation: (typeof generations)[number], person: Person) {
  const data = { capability_id: market.capabilityId };
  const message = { messageId: id, metadata };
  const sent = {
    '0.1': [v0Path, 'tasks/sendSubscribe', v0Send(id, data, { metadata })],
    '0.3': [path, 'message/stream', { message: { ...message, role: 'user', parts: [{ kind: 'data', data }] } }],
    '1.0': [path, 'SendStreamingMessage', { message: { ...message, role: 'ROLE_USER', parts: [{ data }] } }],
  } as const;
  const [url, method, params] = sent[generation];
  return await post(service, url, rpc(method, params), person, { 'a2a-version': generation });
}

async function expectNothingBought(): Promise<void> {
  expect(await balances(market)).toEqual({ buyer: '100.00', frozen: '0.00', seller: '0.00' });
  expect((await agent.call('GET', '/api/v1/transactions')).data.total).toBe(0);
  const { body } = await post(service, v0Path, rpc('tasks/get', { id }), agent);
  expect(body.error.code).toBe(-32_001);
}

describe.each(generations)('in %s a purchase with a stream is refused, and nothing is bought,', (generation) => {
  it('where the caller has as many streams as they may', async () => {
    const open = await followFeed(service, agent);
    const refused = await buyStreaming(generation, agent);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.body.error.code).toBe(generation === '0.1' ? -32_010 : -32_000);
    await expectNothingBought();
    open.close();
  });

  it('where the key may not read what the stream tells', async () => {
    const { apiKey } = await keyOf(service, agent, { operations: ['buy'] });
    const headers = { ...(await agent.headers()), 'x-api-key': apiKey };
    const refused = await buyStreaming(generation, { ...agent, headers: async () => headers });
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect(refused.body.error.code).toBe(generation === '0.1' ? -32_008 : -32_000);
    expect(refused.body.error.message).toContain('may not read');
    await expectNothingBought();
  });
});
