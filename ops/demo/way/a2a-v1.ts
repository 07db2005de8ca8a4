import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Message } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { tellCall } from '../narrator.ts';
import { fetchAs, toldOf, type AgentKey, type Told, type Way } from './way.ts';

/** A2A 1.0, by the official client. */
export async function openA2aV1(baseUrl: string, key: AgentKey): Promise<Way> {
  const fetchImpl = fetchAs(key);
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const client = await new ClientFactory({ transports, cardResolver }).createFromUrl(baseUrl);
  const say = async (data: Record<string, unknown>, more: Partial<Message> = {}): Promise<Told> => {
    const task = await client.sendMessage({
      tenant: '',
      message: { ...messageOf(data), ...more },
      configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true },
      metadata: undefined,
    });
    if (!('status' in task)) throw new Error('SendMessage answered no task.');
    const state = TaskState[task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED];
    tellCall(`SendMessage ${JSON.stringify(data)}`, state);
    return toldOf(task, state);
  };
  return {
    name: 'A2A 1.0',
    client: '@a2a-js/sdk',
    buy: async (capability_id) => await say({ capability_id }, { metadata: { freeze: true } }),
    confirm: async ({ transactionId }) => await say({ operation: 'confirm' }, { taskId: transactionId }),
    close: async () => undefined,
  };
}

function messageOf(data: Record<string, unknown>): Message {
  return {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
