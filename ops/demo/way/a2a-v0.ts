import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { tellCall } from '../narrator.ts';
import { fetchAs, toldOf, type AgentKey, type Told, type Way } from './way.ts';

const card = z.object({ url: z.string() });
const task = z.object({ status: z.object({ state: z.string() }), metadata: z.unknown() });
const answer = z.union([z.object({ result: task }), z.object({ error: z.object({ message: z.string() }) })]);

/** A2A 0.1: there is no client of that generation for Node, so this is its JSON-RPC as it goes over the wire. */
export async function openA2aV0(baseUrl: string, key: AgentKey): Promise<Way> {
  const send = fetchAs(key);
  const { url } = card.parse(await (await send(`${baseUrl}/.well-known/agent.json`)).json());
  // The id of a task is its client's; the same id again goes on with the same task.
  const taskId = randomUUID();
  const say = async (data: object, more: object = {}): Promise<Told> => {
    const message = { role: 'user', parts: [{ type: 'data', data }] };
    const request = {
      jsonrpc: '2.0',
      id: randomUUID(),
      method: 'tasks/send',
      params: { id: taskId, message, ...more },
    };
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const given = answer.parse(await response.json());
    if ('error' in given) throw new Error(`tasks/send was refused: ${given.error.message}`);
    const { state } = given.result.status;
    tellCall(`tasks/send ${JSON.stringify(data)}`, state);
    return toldOf(given.result, state);
  };
  return {
    name: 'A2A 0.1',
    client: 'plain JSON-RPC',
    buy: async (capability_id) => await say({ capability_id }, { metadata: { freeze: true } }),
    confirm: async () => await say({ operation: 'confirm' }),
    close: async () => undefined,
  };
}
