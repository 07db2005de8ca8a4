import { randomUUID } from 'node:crypto';
import type { Reply, Service } from '../harness.ts';
import { fromSomewhere } from './tab.ts';

/** An agent on somebody's machine that has no key yet, and asks for one by plain HTTP. */
export interface AskingAgent {
  readonly userCode: string;
  /** Path and query of the address that it shows to its person. */
  readonly path: string;
  poll(): Promise<Reply>;
  /** The key of an approved agent, as the headers of its calls. */
  credentials(): Promise<Record<string, string>>;
}

export async function askForKey(
  { call }: Pick<Service, 'call'>,
  type = 'openclaw',
  headers: Record<string, string> = {},
): Promise<AskingAgent> {
  const body = { agent_platform_type: type };
  const started = await call('POST', '/api/v1/auth/device-auth', body, { ...fromSomewhere(), ...headers });
  if (started.code !== 0) throw new Error(`device authorization did not start: ${started.text}`);
  const { device_code, user_code: userCode, verification_url: address } = started.data;
  const { pathname, search } = new URL(address);
  const poll = async () => await call('POST', '/api/v1/auth/device-auth/poll', { device_code }, fromSomewhere());
  return {
    userCode,
    path: pathname + search,
    poll,
    credentials: async () => {
      const { data } = await poll();
      return { 'x-api-key': data.api_key, 'x-platform-user-id': data.user_id, 'idempotency-key': randomUUID() };
    },
  };
}
