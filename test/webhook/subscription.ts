import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { Person, Service } from '../harness.ts';
import type { Data } from '../api/purchase.ts';
import type { Received } from './receiver.ts';

export const webhooks = '/api/v1/webhooks';

export interface Subscription {
  readonly id: string;
  readonly secret: string;
}

/** Waits are short, so that a whole schedule passes while a test waits for it. */
export const quickRetries = { WEBHOOK_RETRY_SCHEDULE: '20ms,40ms,60ms', WEBHOOK_TIMEOUT: '1s' } as const;

/** A path of a receiver that no other test uses. */
export function freshPath(): string {
  return `/${randomUUID()}`;
}

export async function subscribe(person: Person, url: string, more: Data = {}): Promise<Subscription> {
  const reply = await person.call('POST', webhooks, { url, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.data as Subscription;
}

/** Reads a webhook of somebody's. */
export async function readWebhook(person: Person, id: string): Promise<Data> {
  const reply = await person.call('GET', `${webhooks}/${id}`);
  expect(reply.code, reply.text).toBe(0);
  return reply.data as Data;
}

export async function deliveriesOf(person: Person, id: string, query = 'page_size=100'): Promise<Data[]> {
  const reply = await person.call('GET', `${webhooks}/${id}/deliveries?${query}`);
  expect(reply.code, reply.text).toBe(0);
  return (reply.data as { items: Data[] }).items;
}

/** Resolves with the deliveries, newest first, once so many of them have ended and none is pending. */
export async function untilEnded(person: Person, id: string, count: number): Promise<Data[]> {
  const look = async () => {
    const all = await deliveriesOf(person, id);
    return all.length >= count && all.every(({ status }) => status !== 'pending') ? all : null;
  };
  return await expect
    .poll(look, { timeout: 20_000, interval: 50 })
    .not.toBeNull()
    .then(async () => await deliveriesOf(person, id));
}

export async function detailOf(person: Person, webhookId: string, id: unknown): Promise<Data & { attempts: Data[] }> {
  const reply = await person.call('GET', `${webhooks}/${webhookId}/deliveries/${String(id)}`);
  expect(reply.code, reply.text).toBe(0);
  return reply.data as Data & { attempts: Data[] };
}

/** The body of a request whose signature is good; throws otherwise. */
export function verified({ body, headers }: Received, secret: string): { type: string; timestamp: string; data: Data } {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<typeof verified>;
}

/** The types of what came, in the order in which it happened. */
export function typesOf(received: readonly Received[]): string[] {
  const events = received.map(({ body }) => JSON.parse(body) as { type: string; data: { seq: string } });
  return events.toSorted((a, b) => Number(a.data.seq) - Number(b.data.seq)).map(({ type }) => type);
}

/** An event of nobody's trade, for this user. */
export async function tell(
  service: Service,
  { userId }: Pick<Person, 'userId'>,
  type = 'transaction.created',
): Promise<void> {
  await service.em.execute(`select append_event(?, 'system', null, array[?::uuid], '{}'::jsonb, now())`, [
    type,
    userId,
  ]);
}
