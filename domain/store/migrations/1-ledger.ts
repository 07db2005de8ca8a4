import { Migration } from '@mikro-orm/migrations';

/**
 * The ledger: double entry, append only, integer-exact. The database itself refuses a negative user balance, an
 * unbalanced transfer, a change of a posting, and a balance that is not the sum of its postings.
 */
export class Ledger extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(appendOnly);
    this.addSql(postingTrigger);
    this.addSql(balanceGuard);
    this.addSql(postTransfer);
  }
}

const tables = `
create table account (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null,
  kind text not null check (kind in ('available', 'frozen', 'issuance', 'fees')),
  balance numeric(20,6) not null default 0,
  settled numeric(20,6) not null default 0,
  updated_at timestamptz(3) not null default now(),
  unique (owner_id, kind),
  constraint account_balance_not_negative check (kind = 'issuance' or balance >= 0),
  constraint account_platform_kind check
    ((kind in ('issuance', 'fees')) = (owner_id = '00000000-0000-0000-0000-000000000000'))
);
insert into account (owner_id, kind) values
  ('00000000-0000-0000-0000-000000000000', 'issuance'), ('00000000-0000-0000-0000-000000000000', 'fees');

create table transfer (
  id uuid primary key,
  kind text not null check (kind in ('credit', 'freeze', 'settle', 'unfreeze')),
  transaction_id uuid,
  reason text not null,
  created_by uuid,
  created_at timestamptz(3) not null,
  constraint transfer_of_transaction check ((kind = 'credit') = (transaction_id is null))
);
create index transfer_transaction on transfer (transaction_id) where transaction_id is not null;

create table posting (
  id bigint generated always as identity primary key,
  transfer_id uuid not null references transfer,
  account_id uuid not null references account,
  amount numeric(20,6) not null check (amount <> 0),
  balance_after numeric(20,6) not null,
  unique (transfer_id, account_id)
);
create index posting_account on posting (account_id, id desc);
`;

const appendOnly = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger posting_append_only before update or delete or truncate on posting
  for each statement execute function refuse_change();
create trigger transfer_append_only before update or delete or truncate on transfer
  for each statement execute function refuse_change();
create trigger account_kept before delete or truncate on account
  for each statement execute function refuse_change();
`;

// One statement inserts all postings of a transfer: a later one could not be balanced against money already moved.
const postingTrigger = `
create function check_and_book_postings() returns trigger language plpgsql as $$
begin
  if exists (select 1 from inserted group by transfer_id having sum(amount) <> 0) then
    raise exception 'the postings of a transfer must sum to zero' using errcode = 'check_violation';
  end if;
  if exists (select 1 from posting p where p.transfer_id in (select transfer_id from inserted)
             and not exists (select 1 from inserted i where i.id = p.id)) then
    raise exception 'a transfer is posted once' using errcode = 'unique_violation';
  end if;
  perform 1 from account where id in (select account_id from inserted) order by id for update;
  if exists (select 1 from inserted group by account_id having count(*) > 1) then
    raise exception 'one posting an account and statement' using errcode = 'unique_violation';
  end if;
  update account a set
    balance = a.balance + i.amount,
    settled = a.settled + case when t.kind = 'settle' then i.amount else 0 end,
    updated_at = t.created_at
  from inserted i join transfer t on t.id = i.transfer_id
  where a.id = i.account_id;
  if exists (select 1 from inserted i join account a on a.id = i.account_id where a.balance <> i.balance_after) then
    raise exception 'balance_after does not agree with the balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger posting_booked after insert on posting referencing new table as inserted
  for each statement execute function check_and_book_postings();
`;

const balanceGuard = `
create function guard_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance <> 0 or new.settled <> 0 then
      raise exception 'an account starts empty' using errcode = 'restrict_violation';
    end if;
  elsif pg_trigger_depth() < 2 or new.owner_id <> old.owner_id or new.kind <> old.kind then
    raise exception 'a balance changes by postings only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger account_guarded before insert or update on account
  for each row execute function guard_account();
`;

// Accounts are locked in the order of their ids, so that two transfers over the same accounts never deadlock.
const postTransfer = `
create function post_transfer(p jsonb) returns text language plpgsql as $$
declare
  short boolean;
begin
  if exists (select 1 from transfer where id = (p->>'id')::uuid) then
    return 'already_posted';
  end if;
  perform 1 from account a join jsonb_to_recordset(p->'postings') as x(owner_id uuid, kind text)
    on a.owner_id = x.owner_id and a.kind = x.kind order by a.id for update of a;
  select bool_or(a.balance + x.amount < 0) into short
    from jsonb_to_recordset(p->'postings') as x(owner_id uuid, kind text, amount numeric)
    join account a on a.owner_id = x.owner_id and a.kind = x.kind where a.kind <> 'issuance';
  if short then
    return 'insufficient_balance';
  end if;
  insert into transfer (id, kind, transaction_id, reason, created_by, created_at)
  values ((p->>'id')::uuid, p->>'kind', (p->>'transaction_id')::uuid, p->>'reason', (p->>'created_by')::uuid,
          (p->>'created_at')::timestamptz)
  on conflict (id) do nothing;
  if not found then
    return 'already_posted';
  end if;
  insert into posting (transfer_id, account_id, amount, balance_after)
  select (p->>'id')::uuid, a.id, x.amount, a.balance + x.amount
    from jsonb_to_recordset(p->'postings') as x(owner_id uuid, kind text, amount numeric)
    left join account a on a.owner_id = x.owner_id and a.kind = x.kind;
  return 'posted';
end $$;
`;
