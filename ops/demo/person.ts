import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { errorTable } from '../../domain/errors.ts';
import { tellCall, tellFacts } from './narrator.ts';
import { RefusedError, type Credentials, type Sending, type ServiceClient } from './service-client.ts';
import * as wire from './wire.ts';

/** Somebody, or somebody's agent, who acts over HTTP; every write is told to the reader. */
export class Person {
  readonly name: string;
  readonly userId: string;
  readonly credentials: Credentials;
  readonly #client: ServiceClient;

  constructor(client: ServiceClient, name: string, userId: string, credentials: Credentials) {
    this.#client = client;
    this.name = name;
    this.userId = userId;
    this.credentials = credentials;
  }

  /** Registers under an address never used before, and signs in. */
  static async register(client: ServiceClient, name: string): Promise<Person> {
    const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`;
    const password = randomUUID();
    try {
      const path = '/api/v1/auth/register';
      const { httpStatus } = await client.post(path, { email, password, display_name: name }, wire.user);
      tellCall(`POST ${path}`, `${httpStatus}, ${email}`);
    } catch (error) {
      // The address is ours alone: taken means that a try whose answer was lost had gone through.
      if (!(error instanceof RefusedError) || error.code !== errorTable.conflict.code) throw error;
    }
    return await Person.signIn(client, name, email, password);
  }

  static async signIn(client: ServiceClient, name: string, email: string, password: string): Promise<Person> {
    const path = '/api/v1/auth/login';
    const { httpStatus, data } = await client.post(path, { email, password }, wire.session);
    tellCall(`POST ${path}`, `${httpStatus}, signed in as ${data.user.email} (${data.user.roles.join(', ')})`);
    return new Person(client, name, data.user.id, { authorization: `Bearer ${data.access_token}` });
  }

  async read<T>(path: string, data: z.ZodType<T>): Promise<T> {
    return (await this.#client.get(path, data, this.credentials)).data;
  }

  wallet(): Promise<wire.Wallet> {
    return this.read('/api/v1/wallet', wire.wallet);
  }

  /** Sends a write; the same key again is the same write. */
  async write<T>(path: string, body: unknown, answer: z.ZodType<T>, sending: Sending = {}): Promise<T> {
    const { credentials } = this;
    const { httpStatus, data, replayed } = await this.#client.post(path, body, answer, { ...sending, credentials });
    tellCall(`POST ${path}`, `${httpStatus}${replayed ? ', Idempotent-Replayed: true' : ''}`);
    return data;
  }

  async remove(path: string): Promise<void> {
    const { httpStatus } = await this.#client.delete(path, wire.deleted, this.credentials);
    tellCall(`DELETE ${path}`, String(httpStatus));
  }

  /** An operation on a transaction: freeze, accept, deliver … */
  async operate(id: string, operation: string, body: unknown = {}, key?: string): Promise<wire.Transaction> {
    const record = await this.write(`/api/v1/transactions/${id}/${operation}`, body, wire.transaction, { key });
    tellFacts(factsOf(record));
    return record;
  }

  /** A write that the service must refuse; answers how. Rejects when it was carried out. */
  async expectRefusal(path: string, body: unknown, sending: Sending = {}): Promise<RefusedError> {
    try {
      await this.#client.post(path, body, z.unknown(), { ...sending, credentials: this.credentials });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      tellCall(`POST ${path}`, `${error.httpStatus}, code ${error.code}`);
      return error;
    }
    throw new Error(`POST ${path} should have been refused.`);
  }
}

/** What of a transaction is worth a look. */
export function factsOf(record: wire.Transaction): Readonly<Record<string, unknown>> {
  const { status, status_reason, acceptance_deadline, delivery_deadline, auto_confirm_at, result_payload } = record;
  const next: Readonly<Record<string, object>> = {
    frozen: { acceptance_deadline },
    accepted: { delivery_deadline },
    delivered: { auto_confirm_at, result_payload },
  };
  return { status, status_reason, ...next[status] };
}
