import { expect } from 'vitest';
import type { AgentPerson, Call, Service } from '../harness.ts';
import type { Data } from './purchase.ts';

/** Another key of an agent's platform, which acts for the same user. */
export interface LimitedKey {
  readonly id: string;
  readonly apiKey: string;
  readonly call: Call;
  /** The same key's calls to another node. */
  callAt(url: string): Call;
}

/** Makes a key as an administrator does. */
export async function keyOf(service: Service, agent: AgentPerson, limits: Data): Promise<LimitedKey> {
  const url = `/api/v1/admin/platforms/${agent.platformId}/keys`;
  const made = await service.admin.call('POST', url, { name: 'limited', ...limits });
  expect(made.status, made.text).toBe(201);
  return holderOf(service, agent, made.data as Data);
}

/** What the answer that shows a key once lets its holder do. */
export function holderOf(service: Service, agent: AgentPerson, data: Data): LimitedKey {
  const [id, apiKey] = [String(data['id']), String(data['api_key'])];
  const callAt =
    (node: string): Call =>
    async (method, path, body, headers) =>
      await agent.callAt(node)(method, path, body, { 'x-api-key': apiKey, ...headers });
  return { id, apiKey, call: callAt(service.url), callAt };
}
