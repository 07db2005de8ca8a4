import { expect } from 'vitest';
import type { Call, Person, Reply } from '../harness.ts';

export const deviceAuth = '/api/v1/auth/device-auth';

/** What the start of a session answers. */
export interface Started {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_url: string;
  readonly expires_in: number;
  readonly interval: number;
  readonly agent_platform_type: string;
}

let lastAddress = 0;

/** An address of its own for each call, so that the limits per address stay out of most tests. */
export function from(): Record<string, string> {
  lastAddress += 1;
  return { 'x-forwarded-for': `10.7.${lastAddress >> 8}.${lastAddress & 255}` };
}

export async function start(call: Call, type = 'openclaw', headers = from()): Promise<Started> {
  const reply = await call('POST', deviceAuth, { agent_platform_type: type }, headers);
  expect(reply, reply.text).toMatchObject({ status: 200, code: 0 });
  return reply.data;
}

export async function poll(call: Call, { device_code }: Pick<Started, 'device_code'>): Promise<Reply> {
  return await call('POST', `${deviceAuth}/poll`, { device_code }, from());
}

export async function lookUp(person: Pick<Person, 'call'>, userCode: string, headers = from()): Promise<Reply> {
  return await person.call('GET', `${deviceAuth}/lookup?user_code=${encodeURIComponent(userCode)}`, undefined, headers);
}

export async function confirm(
  person: Pick<Person, 'call'>,
  userCode: string,
  approve = true,
  headers = from(),
): Promise<Reply> {
  return await person.call('POST', `${deviceAuth}/confirm`, { user_code: userCode, approve }, headers);
}

export function asAgent(apiKey: string, userId: string): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-platform-user-id': userId };
}
