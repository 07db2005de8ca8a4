import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balanceIn, emptyBook, post, settledIn, type Book } from '../../domain/ledger/book.ts';
import {
  creditTransfer,
  freezeTransfer,
  platformOwnerId,
  settleTransfer,
  unfreezeTransfer,
  type AccountKind,
  type Transfer,
} from '../../domain/ledger/transfer.ts';
import { checkLedger } from '../../domain/store/ledger.store.ts';
import { ut, type MicroUt } from '../../domain/ut.ts';
import { startService, type Service } from '../harness.ts';

let service: Service;
let db: Client;
let people: string[];

beforeAll(async () => {
  service = await startService();
  db = new Client({ connectionString: service.databaseUrl });
  await db.connect();
  people = await Promise.all(['ann', 'bob', 'cid'].map(async (name) => (await service.human(name)).userId));
});
afterAll(async () => {
  await db.end();
  await service.close();
});

async function postTo(transfer: Transfer, id = randomUUID(), client: Pick<Client, 'query'> = db): Promise<string> {
  const transaction_id = transfer.kind === 'credit' ? null : randomUUID();
  const record = { ...transfer, id, transaction_id, created_by: null, created_at: new Date().toISOString() };
  const { rows } = await client.query<{ outcome: string }>('select post_transfer($1::jsonb) as outcome', [record]);
  return rows[0]?.outcome ?? 'nothing';
}

type Balances = Record<string, { balance: MicroUt; settled: MicroUt }>;

async function balancesInDatabase(): Promise<Balances> {
  const { rows } = await db.query<{ name: string; balance: string; settled: string }>(
    `select owner_id || ' ' || kind as name, balance, settled from account where owner_id = any($1)`,
    [[platformOwnerId, ...people]],
  );
  return Object.fromEntries(rows.map((row) => [row.name, { balance: ut(row.balance), settled: ut(row.settled) }]));
}

function balancesInBook(book: Book): Balances {
  const owners: [string, AccountKind][] = people.flatMap(
    (id) =>
      [
        [id, 'available'],
        [id, 'frozen'],
      ] as [string, AccountKind][],
  );
  const accounts: [string, AccountKind][] = [...owners, [platformOwnerId, 'issuance'], [platformOwnerId, 'fees']];
  return Object.fromEntries(
    accounts.map(([owner, kind]) => [
      `${owner} ${kind}`,
      { balance: balanceIn(book, owner, kind), settled: settledIn(book, owner, kind) },
    ]),
  );
}

const person = fc.integer({ min: 0, max: 2 });
const amount = fc.bigInt({ min: 1n, max: 3_000_000n }).map((micro) => micro as MicroUt);
const step = fc.record({
  kind: fc.constantFrom('credit', 'freeze', 'unfreeze', 'settle'),
  from: person,
  to: person,
  amount,
  rate: fc.constantFrom('0', '0.025', '0.333333'),
});

function transferOf(one: typeof step extends fc.Arbitrary<infer T> ? T : never): Transfer[] {
  const buyer_user_id = people[one.from] ?? '';
  const seller_user_id = people[one.to === one.from ? (one.to + 1) % 3 : one.to] ?? '';
  const parties = { buyer_user_id, seller_user_id };
  if (one.kind === 'credit') return creditTransfer(buyer_user_id, one.amount, 'model');
  if (one.kind === 'freeze') return freezeTransfer(parties, one.amount, 'model');
  if (one.kind === 'unfreeze') return unfreezeTransfer(parties, one.amount, 'model');
  return settleTransfer(parties, one.amount, one.rate, 'model');
}

/** A purchase of 1 UT, paid at once. */
function pay(from: string, to: string): Transfer[] {
  const parties = { buyer_user_id: from, seller_user_id: to };
  return [...freezeTransfer(parties, ut('1'), 'x'), ...settleTransfer(parties, ut('1'), '0', 'x')];
}

/** Posts what the constructors of transfers would not make. */
async function force(...lines: [string, AccountKind, string][]): Promise<string> {
  const postings = lines.map(([owner_id, kind, amount_ut]) => ({ owner_id, kind, amount: amount_ut }));
  return await postTo({ kind: 'credit', reason: 'x', postings });
}

describe('the database', () => {
  test('books and refuses exactly as the model does, for any sequence of transfers', async () => {
    let book = emptyBook;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const transfer of steps.flatMap(transferOf)) {
          const next = post(book, transfer);
          expect(await postTo(transfer)).toBe(next === null ? 'insufficient_balance' : 'posted');
          book = next ?? book;
        }
        expect(await balancesInDatabase()).toEqual(balancesInBook(book));
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test('posts a transfer once, also when it is sent many times at once', async () => {
    const [transfer] = creditTransfer(people[0] ?? '', ut('7'), 'once');
    if (transfer === undefined) throw new Error('no transfer');
    const before = (await balancesInDatabase())[`${people[0]} available`]?.balance ?? 0n;
    const id = randomUUID();
    const pool = new Pool({ connectionString: service.databaseUrl, max: 6 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => postTo(transfer, id, pool)));
    await pool.end();
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 11 }, () => 'already_posted'), 'posted']);
    expect((await balancesInDatabase())[`${people[0]} available`]?.balance).toBe(before + ut('7'));
  });

  test('ends crosswise transfers at once without a deadlock, and no balance is overdrawn', async () => {
    const [ann = '', bob = ''] = people;
    const pool = new Pool({ connectionString: service.databaseUrl, max: 8 });
    await Promise.all([ann, bob].flatMap((id) => creditTransfer(id, ut('3'), 'x')).map((one) => postTo(one)));
    const transfers = Array.from({ length: 15 }, () => [...pay(ann, bob), ...pay(bob, ann)]).flat();
    const outcomes = await Promise.all(transfers.map((one) => postTo(one, randomUUID(), pool)));
    await pool.end();
    expect(new Set([...outcomes, 'posted', 'insufficient_balance'])).toEqual(
      new Set(['posted', 'insufficient_balance']),
    );
    const balances = Object.entries(await balancesInDatabase());
    expect(balances.every(([name, { balance }]) => name.endsWith('issuance') || balance >= 0n)).toBe(true);
    expect(balances.reduce((sum, [, { balance }]) => sum + balance, 0n)).toBe(0n);
  });

  test.each([
    ['update posting set amount = amount + 1', 'posting is append only'],
    ['delete from posting', 'posting is append only'],
    ['truncate posting cascade', 'posting is append only'],
    ['update transfer set reason = $$x$$', 'transfer is append only'],
    ['delete from transfer', 'transfer is append only'],
    ['truncate transfer cascade', 'append only'],
    ['delete from account', 'account is append only'],
    ['truncate account cascade', 'append only'],
    [`update account set balance = balance + 1 where kind = 'available'`, 'by postings only'],
    [`update account set settled = 1 where kind = 'available'`, 'by postings only'],
    [`update account set owner_id = gen_random_uuid() where kind = 'available'`, 'by postings only'],
    [`insert into account (owner_id, kind, balance) values (gen_random_uuid(), 'available', 5)`, 'starts empty'],
    [`insert into account (owner_id, kind) values (gen_random_uuid(), 'issuance')`, 'account_platform_kind'],
  ])('refuses: %s', async (sql, message) => {
    await service.credit({ userId: people[0] ?? '' }, '1');
    const before = await balancesInDatabase();
    await expect(db.query(sql)).rejects.toThrow(message);
    expect(await balancesInDatabase()).toEqual(before);
  });

  test('refuses postings that do not balance, change an old transfer, or make a balance negative', async () => {
    const [ann = '', bob = ''] = people;
    const before = await balancesInDatabase();
    await expect(force([ann, 'available', '1'])).rejects.toThrow('must sum to zero');
    await expect(force([platformOwnerId, 'issuance', '-1'], [ann, 'available', '1.000001'])).rejects.toThrow(
      'must sum to zero',
    );
    await expect(force([platformOwnerId, 'issuance', '-1'], [randomUUID(), 'available', '1'])).rejects.toThrow(
      'account_id',
    );
    await expect(
      db.query(
        `insert into posting (transfer_id, account_id, amount, balance_after)
        select p.transfer_id, a.id, x.amount, a.balance + x.amount from (select transfer_id from posting limit 1) p,
          (values ($1::uuid, -1.0), ($2, 1.0)) x(owner_id, amount)
          join account a on a.owner_id = x.owner_id and a.kind = 'frozen'`,
        [ann, bob],
      ),
    ).rejects.toThrow(/posted once|not_negative/);
    await expect(
      db.query(
        `with t as (insert into transfer (id, kind, reason, created_at) values ($1, 'credit', 'x', now()) returning id)
        insert into posting (transfer_id, account_id, amount, balance_after)
        select t.id, a.id, x.amount, a.balance + x.amount from t,
          (values ('available', -1e9), ('frozen', 1e9)) x(kind, amount)
          join account a on a.owner_id = $2 and a.kind = x.kind`,
        [randomUUID(), ann],
      ),
    ).rejects.toThrow('account_balance_not_negative');
    expect(await balancesInDatabase()).toEqual(before);
  });
});

describe('the check of the ledger', () => {
  test('names what was changed behind the back of the guards', async () => {
    const fresh = await startService();
    const intruder = new Client({ connectionString: fresh.databaseUrl });
    await intruder.connect();
    const [one, two] = await Promise.all([fresh.human('one'), fresh.human('two')]);
    await fresh.credit(one, '5');
    expect(await checkLedger(fresh.em)).toEqual({ sound: true, problems: [] });
    // A superuser can switch triggers off; the check is for what got past everything else.
    await intruder.query('set session_replication_role = replica');
    await intruder.query(`update account set balance = 6 where owner_id = $1 and kind = 'available'`, [one.userId]);
    await intruder.query(`insert into transfer (id, kind, transaction_id, reason, created_at)
      values (gen_random_uuid(), 'freeze', gen_random_uuid(), 'x', now())`);
    await intruder.query(
      `insert into transaction (id, buyer_user_id, seller_user_id, capability_id, transaction_type, origin, context_id,
         price_ut, status, auto_accept, terms, step, frozen_at, accepted_at, delivered_at, settled_at, created_at, updated_at)
       select gen_random_uuid(), $1, $2, gen_random_uuid(), 'per_use', 'purchase', gen_random_uuid(), 3, 'settled', false,
         '{}', 5, now(), now(), now(), now(), now(), now() from generate_series(1, 120)`,
      [one.userId, two.userId],
    );
    const { sound, problems } = await checkLedger(fresh.em);
    expect(sound).toBe(false);
    expect(problems).toHaveLength(100);
    const parts = [
      'all balances sum to 1',
      'its postings say 5',
      'has no postings',
      'unknown transaction',
      'settled at 3',
    ];
    expect(parts.filter((part) => !problems.some((problem) => problem.includes(part)))).toEqual([]);
    const reply = await fresh.admin.call('GET', '/api/v1/admin/ledger/check');
    expect(reply).toMatchObject({ status: 200, data: { sound: false } });
    await intruder.end();
    await fresh.close();
  });
});
