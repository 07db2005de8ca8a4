import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { expect } from 'vitest';
import { pollUntil } from '../../ops/stack/deadline.ts';
import { makeParties, type Parties } from '../bench/parties.ts';
import { insist, send, type Answer, type Ask, type Credentials, type Outcome } from './caller.ts';
import { adminLogin, withDatabase, type Marketplace } from './marketplace.ts';

export const creditUt = 1_000_000;

/** A buyer with a million UT, and a seller with a capability for 1 UT. */
export async function openTrade(marketplace: Marketplace): Promise<Parties> {
  return await makeParties(marketplace.base(), adminLogin);
}

export function createBy({ buyer, capabilityId }: Parties): Ask {
  return {
    method: 'POST',
    path: '/api/v1/transactions',
    as: buyer,
    key: randomUUID(),
    body: { capability_id: capabilityId },
  };
}

export function operationOf(
  id: string,
  operation: string,
  as: Credentials,
  body?: Readonly<Record<string, unknown>>,
): Ask {
  const path = `/api/v1/transactions/${id}/${operation}`;
  return { method: 'POST', path, as, key: randomUUID(), ...(body === undefined ? {} : { body }) };
}

/** Makes a transaction while nothing is wrong. */
export async function buy(marketplace: Marketplace, parties: Parties): Promise<string> {
  const { answer } = await insist(marketplace.base, createBy(parties));
  expect(answer).toMatchObject({ status: 201, data: { status: 'pending' } });
  return String(answer.data['id']);
}

/** Insists on an operation, and expects the status that it leads to. */
export async function reach(marketplace: Marketplace, ask: Ask, status: string): Promise<Outcome> {
  const outcome = await insist(marketplace.base, ask);
  expect(outcome.answer, JSON.stringify(outcome.answer)).toMatchObject({ status: 200, data: { status } });
  return outcome;
}

/** From `frozen` to `settled`: the workflow knows what stands in the row. */
export async function settle(marketplace: Marketplace, { buyer, seller }: Parties, id: string): Promise<void> {
  await reach(marketplace, operationOf(id, 'accept', seller), 'accepted');
  await reach(marketplace, operationOf(id, 'deliver', seller), 'delivered');
  await reach(marketplace, operationOf(id, 'confirm', buyer), 'settled');
}

/** Fails unless all money adds up, no user owes, and balances agree with postings. */
export async function checkLedger({ base, admin }: Marketplace): Promise<void> {
  const { answer } = await insist(base, { method: 'GET', path: '/api/v1/admin/ledger/check', as: admin });
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, data: { sound: true, problems: [] } });
}

export async function walletOf({ base }: Marketplace, as: Credentials): Promise<Readonly<Record<string, unknown>>> {
  const { answer } = await insist(base, { method: 'GET', path: '/api/v1/wallet', as });
  expect(answer.status, JSON.stringify(answer)).toBe(200);
  return answer.data;
}

/** The kinds of the transfers of a transaction, each as often as it was posted. */
export async function transfersOf({ databaseUrl }: Marketplace, id: string): Promise<string[]> {
  const sql = 'select kind from transfer where transaction_id = $1 order by created_at, kind';
  const { rows } = await withDatabase(databaseUrl, (client) => client.query<{ kind: string }>(sql, [id]));
  return rows.map(({ kind }) => kind);
}

export async function statusOf({ databaseUrl }: Marketplace, id: string): Promise<string> {
  const sql = 'select status from transaction where id = $1';
  const { rows } = await withDatabase(databaseUrl, (client) => client.query<{ status: string }>(sql, [id]));
  return rows[0]?.status ?? 'none';
}

/** An operation that was sent and stands in PostgreSQL: everything is posted, nothing is committed. */
export interface Held {
  /** What the caller gets in the end, on the connection of the first try. */
  readonly answer: Promise<Answer>;
  /** Lets the statement commit. */
  release(): Promise<void>;
}

/** Sends an operation and holds its statement, after the postings and before the commit, while `work` is done. */
export async function whileHeld<T>(marketplace: Marketplace, ask: Ask, work: (held: Held) => Promise<T>): Promise<T> {
  return await withDatabase(marketplace.databaseUrl, async (client) => {
    // Readers pass; the insert of an event, which follows the postings, waits.
    await client.query('begin; lock table event in exclusive mode');
    const answer = send(marketplace.base(), ask);
    // Whoever waits for it is told; a test that fails before does not.
    answer.catch(() => undefined);
    await pollUntil('a statement that waits', { timeoutMs: 20_000, everyMs: 10 }, async () => {
      const sql = `select pid from pg_locks where relation = 'event'::regclass and not granted`;
      const { rowCount } = await client.query(sql);
      if (rowCount !== 1) throw new Error(`${rowCount} statements wait`);
    });
    return await work({ answer, release: async () => void (await client.query('commit')) });
  });
}

/** Waits until a status stands in the row, whatever the callers were told. */
export async function stands(marketplace: Marketplace, id: string, status: string): Promise<void> {
  await pollUntil(`${status} in the row`, { timeoutMs: 15_000, everyMs: 20 }, async () => {
    if ((await statusOf(marketplace, id)) !== status) throw new Error('not yet');
  });
}

/** The transactions of a capability as id and status, the oldest first. */
export async function transactionsOf(
  { databaseUrl }: Marketplace,
  { capabilityId }: Parties,
): Promise<[id: string, status: string][]> {
  const sql = 'select id, status from transaction where capability_id = $1 order by created_at, id';
  const work = (client: Client) => client.query<{ id: string; status: string }>(sql, [capabilityId]);
  const { rows } = await withDatabase(databaseUrl, work);
  return rows.map(({ id, status }) => [id, status]);
}
