import { randomUUID } from 'node:crypto';
import type { TransactionRecord } from '../../domain/transaction/transaction.ts';
import { errorTable } from '../../domain/errors.ts';
import { tellCall, tellFacts } from './narrator.ts';
import { RefusedError, type ServiceClient } from './service-client.ts';

interface Session {
  readonly access_token: string;
  readonly user: { readonly id: string; readonly email: string; readonly roles: readonly string[] };
}

export interface Wallet {
  readonly available_ut: string;
  readonly frozen_ut: string;
  readonly total_ut: string;
}

/** Somebody who is signed in and acts over HTTP; every write is told to the reader. */
export class Person {
  readonly name: string;
  readonly userId: string;
  readonly token: string;
  readonly #client: ServiceClient;

  private constructor(client: ServiceClient, name: string, session: Session) {
    this.#client = client;
    this.name = name;
    this.userId = session.user.id;
    this.token = session.access_token;
  }

  /** Registers under an address never used before, and signs in. */
  static async register(client: ServiceClient, name: string): Promise<Person> {
    const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`;
    const password = randomUUID();
    try {
      const path = '/api/v1/auth/register';
      const { httpStatus } = await client.post(path, { email, password, display_name: name });
      tellCall(`POST ${path}`, `${httpStatus}, ${email}`);
    } catch (error) {
      // The address is ours alone: taken means that a try whose answer was lost had gone through.
      if (!(error instanceof RefusedError) || error.code !== errorTable.conflict.code) throw error;
    }
    return await Person.signIn(client, name, email, password);
  }

  static async signIn(client: ServiceClient, name: string, email: string, password: string): Promise<Person> {
    const path = '/api/v1/auth/login';
    const { httpStatus, data } = await client.post<Session>(path, { email, password });
    tellCall(`POST ${path}`, `${httpStatus}, signed in as ${data.user.email} (${data.user.roles.join(', ')})`);
    return new Person(client, name, data);
  }

  async read<T>(path: string): Promise<T> {
    return (await this.#client.get<T>(path, this.token)).data;
  }

  wallet(): Promise<Wallet> {
    return this.read<Wallet>('/api/v1/wallet');
  }

  /** Sends a write; the same key again is the same write. */
  async write<T>(path: string, body: unknown, key: string = randomUUID()): Promise<T> {
    const { httpStatus, data, replayed } = await this.#client.post<T>(path, body, this.token, key);
    tellCall(`POST ${path}`, `${httpStatus}${replayed ? ', Idempotent-Replayed: true' : ''}`);
    return data;
  }

  /** An operation on a transaction: freeze, accept, deliver … */
  async operate(id: string, operation: string, body: unknown = {}, key?: string): Promise<TransactionRecord> {
    const record = await this.write<TransactionRecord>(`/api/v1/transactions/${id}/${operation}`, body, key);
    tellFacts(factsOf(record));
    return record;
  }

  /** A write that the service must refuse; answers how. Rejects when it was carried out. */
  async expectRefusal(path: string, body: unknown): Promise<RefusedError> {
    try {
      await this.#client.post(path, body, this.token);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      tellCall(`POST ${path}`, `${error.httpStatus}, code ${error.code}`);
      return error;
    }
    throw new Error(`POST ${path} should have been refused.`);
  }
}

/** What of a transaction is worth a look. */
export function factsOf(record: TransactionRecord): Readonly<Record<string, unknown>> {
  const { status, status_reason, acceptance_deadline, delivery_deadline, auto_confirm_at, result_payload } = record;
  const next = {
    frozen: { acceptance_deadline },
    accepted: { delivery_deadline },
    delivered: { auto_confirm_at, result_payload },
  };
  return { status, status_reason, ...(status in next ? next[status as keyof typeof next] : {}) };
}
