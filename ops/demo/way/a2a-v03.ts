import { randomUUID } from 'node:crypto';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from 'a2a-sdk-0.3/client';
import { tellCall } from '../narrator.ts';
import { fetchAs, toldOf, type AgentKey, type Told, type Way } from './way.ts';

/** A2A 0.3, by the official client of its time. */
export async function openA2aV03(baseUrl: string, key: AgentKey): Promise<Way> {
  const fetchImpl = fetchAs(key);
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const client = await new ClientFactory({ transports, cardResolver }).createFromUrl(baseUrl);
  const say = async (data: Record<string, unknown>, more: object = {}): Promise<Told> => {
    const parts = [{ kind: 'data' as const, data }];
    const message = { kind: 'message' as const, messageId: randomUUID(), role: 'user' as const, parts, ...more };
    const task = await client.sendMessage({ message, configuration: { blocking: false } });
    if (task.kind !== 'task') throw new Error(`message/send answered a ${task.kind}.`);
    tellCall(`message/send ${JSON.stringify(data)}`, task.status.state);
    return toldOf(task, task.status.state);
  };
  return {
    name: 'A2A 0.3',
    client: '@a2a-js/sdk 0.3',
    buy: async (capability_id) => await say({ capability_id }, { metadata: { freeze: true } }),
    confirm: async ({ transactionId }) => await say({ operation: 'confirm' }, { taskId: transactionId }),
    close: async () => undefined,
  };
}
