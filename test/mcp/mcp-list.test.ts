import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories } from '../../domain/category/category.ts';
import { startService, type AgentPerson, type Person, type Service } from '../harness.ts';
import { publish } from '../api/purchase.ts';
import { connect, eras } from './tool-client.ts';

let service: Service;
let agent: AgentPerson;
let seller: Person;
beforeAll(async () => {
  service = await startService();
  agent = await service.agent();
  seller = await service.human();
});
afterAll(async () => await service.close());

const names = [
  'search_capabilities',
  'get_capability',
  'invoke_capability',
  'buy_capability',
  'get_transaction',
  'list_transactions',
  'operate_transaction',
  'wait_for_transaction',
  'list_events',
  'get_wallet',
];

interface Counted {
  readonly code: string;
  readonly label: string;
  readonly description: string;
  readonly capability_count: number;
}

async function countsOf(era: (typeof eras)[number]): Promise<Counted[]> {
  const { client } = await connect(service.url, agent, era);
  const { contents } = await client.readResource({ uri: 'marketplace://categories' });
  const [content] = contents;
  expect(content?.mimeType).toBe('application/json');
  const { categories: found } = JSON.parse(content !== undefined && 'text' in content ? content.text : '') as {
    categories: Counted[];
  };
  return found;
}

describe.for(eras)('by revision %s', (era) => {
  it('lists each tool with what a model needs to choose and to call it', async () => {
    const { client } = await connect(service.url, agent, era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(names);
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description?.length, tool.name).toBeGreaterThan(60);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(Object.keys(tool.annotations ?? {}).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
    const writing = tools.filter((tool) => tool.annotations?.readOnlyHint === false);
    expect(writing.map((tool) => tool.name)).toEqual(['invoke_capability', 'buy_capability', 'operate_transaction']);
    for (const tool of writing) expect(tool.inputSchema.properties).toHaveProperty('idempotency_key');
    expect(client.getInstructions()).toContain('idempotency_key');
    expect(client.getServerVersion()).toMatchObject({ name: 'marketplace' });
  });

  it('says nothing that is not there: no prompts, and an unknown tool or resource is a protocol error', async () => {
    const { client } = await connect(service.url, agent, era);
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} });
    expect(client.getServerCapabilities()?.prompts).toBeUndefined();
    await expect(client.callTool({ name: 'delete_everything' })).rejects.toThrow(/not found/);
    await expect(client.readResource({ uri: 'marketplace://users' })).rejects.toThrow(/not found/i);
  });

  it('the categories tell how many capabilities are for sale in each, the rest left out', async () => {
    const before = await countsOf(era);
    expect(before.map(({ code, label }) => [code, label])).toEqual(categories.map(({ code, label }) => [code, label]));
    expect(before.every(({ description }) => description.length > 0)).toBe(true);
    await publish(seller, { category: 'legal_finance' });
    const second = await publish(seller, { category: 'legal_finance' });
    await publish(seller, { category: 'video' });
    const deleted = await publish(seller, { category: 'video' });
    expect((await seller.call('DELETE', `/api/v1/capabilities/${deleted}`)).status).toBe(200);
    expect((await seller.call('PUT', `/api/v1/capabilities/${second}`, { available: false })).status).toBe(200);
    const after = await countsOf(era);
    const grown = after.flatMap(({ code, capability_count }, index) => {
      const more = capability_count - (before[index]?.capability_count ?? 0);
      return more === 0 ? [] : [[code, more]];
    });
    expect(grown).toEqual([
      ['video', 1],
      ['legal_finance', 1],
    ]);
  });

  it('finds what is for sale by the filters of REST, and reads one', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const id = await publish(seller, { title: `Register ${word}` });
    const hidden = await publish(seller, { title: `Register ${word}` });
    await seller.call('PUT', `/api/v1/capabilities/${hidden}`, { available: false });
    const { get, ask } = await connect(service.url, agent, era);
    expect(await get('search_capabilities', { q: word, max_price_ut: '10' })).toMatchObject({
      total: 1,
      items: [{ id, price_ut: '10.00', callback_url: null }],
    });
    expect(await get('search_capabilities', { q: word, include_unavailable: true })).toMatchObject({ total: 2 });
    expect(await get('get_capability', { capability_id: id })).toMatchObject({ id, available: true });
    expect(await ask('get_capability', { capability_id: randomUUID() })).toMatchObject({
      isError: true,
      data: { code: 4040, name: 'not_found' },
    });
    expect(await ask('search_capabilities', { page_size: 51, colour: 'red' })).toMatchObject({
      isError: true,
      data: { code: 4000, data: { errors: [{ path: 'page_size' }, { path: 'colour' }] } },
    });
  });
});
