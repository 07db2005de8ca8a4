import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  errorCodes,
  MarketplaceError,
  type Credentials,
  type MarketplaceClient,
  type Schemas,
} from '../../api/client/client.ts';
import type { DataOf, InitArgument, PathOf } from '../../api/client/operation.ts';
import { tellCall, tellFacts } from './narrator.ts';
import { tellTries, type Service } from './service.ts';
import * as wire from './wire.ts';

/** The operations on a transaction whose body, if any, is a delivery. */
type Operation = 'freeze' | 'accept' | 'reject' | 'deliver' | 'confirm' | 'cancel';

/** Somebody, or somebody's agent, who acts over HTTP; every write is told to the reader. */
export class Person {
  readonly name: string;
  readonly userId: string;
  readonly credentials: Credentials;
  /** For reads, which are not told. */
  readonly market: MarketplaceClient;
  readonly #service: Service;

  constructor(service: Service, name: string, userId: string, credentials: Credentials) {
    this.#service = service;
    this.name = name;
    this.userId = userId;
    this.credentials = credentials;
    this.market = service.clientOf(credentials);
  }

  /** Registers under an address never used before, and signs in. */
  static async register(service: Service, name: string): Promise<Person> {
    const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`;
    const password = randomUUID();
    const path = '/api/v1/auth/register';
    const body = { email, password, display_name: name };
    await service.pause();
    try {
      const { httpStatus } = await tellTries(service.clientOf().send('post', path, { body, repeatable: true }));
      tellCall(`POST ${path}`, `${httpStatus}, ${email}`);
    } catch (error) {
      // The address is ours alone: taken means that a try whose answer was lost had gone through.
      if (!(error instanceof MarketplaceError) || error.code !== errorCodes.conflict) throw error;
    }
    return await Person.signIn(service, name, email, password);
  }

  static async signIn(service: Service, name: string, email: string, password: string): Promise<Person> {
    const path = '/api/v1/auth/login';
    await service.pause();
    const signingIn = service.clientOf().send('post', path, { body: { email, password }, repeatable: true });
    const { httpStatus, data: session } = await tellTries(signingIn);
    tellCall(`POST ${path}`, `${httpStatus}, signed in as ${session.user.email} (${session.user.roles.join(', ')})`);
    return new Person(service, name, session.user.id, { session });
  }

  async wallet(): Promise<Schemas['Wallet']> {
    return await this.market.get('/api/v1/wallet');
  }

  /** Sends a write; the same `idempotencyKey` again is the same write. */
  async write<P extends PathOf<'post'>>(path: P, ...init: InitArgument<'post', P>): Promise<DataOf<'post', P>> {
    await this.#service.pause();
    const { data, httpStatus, replayed } = await tellTries(this.market.send('post', path, ...init));
    const told = filled(path, init[0]?.path);
    tellCall(`POST ${told}`, `${httpStatus}${replayed ? ', Idempotent-Replayed: true' : ''}`);
    return data;
  }

  /** A write of the administration, which the client has no types of. */
  async administer<T>(method: 'post' | 'delete', path: string, body: unknown, answer: z.ZodType<T>): Promise<T> {
    await this.#service.pause();
    const { data, httpStatus } = await tellTries(this.market.sendUnlisted(method, path, { body }));
    tellCall(`${method.toUpperCase()} ${path}`, String(httpStatus));
    return answer.parse(data);
  }

  async deleteCapability(id: string): Promise<void> {
    await this.#service.pause();
    const init = { path: { cap_id: id } };
    const { httpStatus } = await tellTries(this.market.send('delete', '/api/v1/capabilities/{cap_id}', init));
    tellCall(`DELETE /api/v1/capabilities/${id}`, String(httpStatus));
  }

  /** Puts UT into a user's wallet; administrators only. */
  async credit(userId: string, amount_ut: string): Promise<wire.CreditedWallet> {
    const body = { amount_ut, reason: 'Starting money of the demo' };
    return await this.administer('post', `/api/v1/admin/wallets/${userId}/credit`, body, wire.creditedWallet);
  }

  async transaction(id: string): Promise<Schemas['Transaction']> {
    return await this.market.get('/api/v1/transactions/{tx_id}', { path: { tx_id: id } });
  }

  /** An operation on a transaction: freeze, accept, deliver … */
  async operate(
    id: string,
    operation: Operation,
    body?: Schemas['DeliverRequest'],
    idempotencyKey?: string,
  ): Promise<Schemas['Transaction']> {
    const path = `/api/v1/transactions/{tx_id}/${operation}` as const;
    const record = await this.write(path, {
      path: { tx_id: id },
      ...(body === undefined ? {} : { body }),
      idempotencyKey,
    });
    tellFacts(factsOf(record));
    return record;
  }

  /** A write that the service must refuse; answers how. Rejects when it was carried out. */
  async expectRefusal<P extends PathOf<'post'>>(path: P, ...init: InitArgument<'post', P>): Promise<MarketplaceError> {
    const told = `POST ${filled(path, init[0]?.path)}`;
    await this.#service.pause();
    try {
      await this.market.send('post', path, ...init);
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      tellCall(told, `${error.httpStatus}, code ${error.code}`);
      return error;
    }
    throw new Error(`${told} should have been refused.`);
  }
}

/** What of a transaction is worth a look. */
export function factsOf(record: Schemas['Transaction']): Readonly<Record<string, unknown>> {
  const { status, status_reason, acceptance_deadline, delivery_deadline, auto_confirm_at, result_payload } = record;
  const next: Readonly<Record<string, object>> = {
    frozen: { acceptance_deadline },
    accepted: { delivery_deadline },
    delivered: { auto_confirm_at, result_payload },
  };
  return { status, status_reason, ...next[status] };
}

/** The path with its parameters, as it goes over the wire. */
function filled(path: string, parameters: unknown): string {
  return Object.entries(parameters ?? {}).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    path,
  );
}
