import { Migration } from '@mikro-orm/migrations';

/** What a key may do, device authorization, the audit trail. */
export class Access extends Migration {
  override up(): void {
    this.addSql(apiKey);
    this.addSql(reserveSpend);
    this.addSql(deviceSession);
    this.addSql(auditEntry);
  }
}

// `user_id`: a key that one person approved on a device acts for that person only, whoever else granted its platform.
// `family_id`: the first key of a row of rotations, whose successors spend of the same day's limit. `requests`: which
// requests may yet freeze, or have frozen, the transaction; an amount is given back when the last of them was refused.
const apiKey = `
alter table platform add column kind text not null default 'partner' check (kind in ('partner', 'device'));
alter table api_key
  add column user_id uuid references "user",
  add column operations text[] not null default '{read,buy,sell}'
    check (operations <@ array['read', 'buy', 'sell'] and cardinality(operations) > 0),
  add column addresses inet[] check (cardinality(addresses) > 0),
  add column daily_spend_limit_ut numeric(20,6) check (daily_spend_limit_ut >= 0),
  add column rotated_from uuid references api_key,
  add column family_id uuid references api_key,
  add column last_used_at timestamptz(3);
create index api_key_user on api_key (user_id, created_at desc) where user_id is not null;
update api_key set family_id = id;
alter table api_key alter column family_id set not null;
create unique index api_key_successor on api_key (rotated_from) where revoked_at is null;
create table api_key_spend (
  family_id uuid not null references api_key,
  transaction_id uuid not null,
  day date not null,
  amount_ut numeric(20,6) not null check (amount_ut >= 0),
  requests uuid[] not null,
  primary key (family_id, transaction_id)
);
create index api_key_spend_day on api_key_spend (family_id, day);
create index api_key_spend_age on api_key_spend (day);
`;

// Takes the amount out of the day's limit, or answers what is left of the day. Without an amount it is what the buyer's
// pending transaction costs; where there is none, the freeze will be refused, and nothing is taken. The lock makes it exact:
// of two at once, the second counts the first. The clock is the database's, so that all nodes end the day together. No
// disk is waited for: the freeze that follows commits later in the same log.
const reserveSpend = `
create function reserve_api_key_spend(p_api_key_id uuid, p_user_id uuid, p_transaction_id uuid, p_request uuid,
  p_amount_ut numeric, out outcome text, out limit_ut numeric, out spent_ut numeric, out wait_sec integer)
language plpgsql as $$
declare
  amount numeric := coalesce(p_amount_ut, (select t.price_ut from transaction t
    where t.id = p_transaction_id and t.buyer_user_id = p_user_id and t.status = 'pending'));
  family uuid;
  today date;
begin
  set local synchronous_commit = off;
  outcome := 'none';
  if coalesce(amount, 0) = 0 then
    return;
  end if;
  select k.family_id, k.daily_spend_limit_ut into family, limit_ut from api_key k where k.id = p_api_key_id;
  if limit_ut is not null then
    perform from api_key k where k.id = family for no key update;
    select k.daily_spend_limit_ut into limit_ut from api_key k where k.id = p_api_key_id;
  end if;
  today := (clock_timestamp() at time zone 'UTC')::date;
  update api_key_spend s set requests = array_append(array_remove(s.requests, p_request), p_request)
    where s.family_id = family and s.transaction_id = p_transaction_id and s.day = today;
  if found then
    outcome := 'reserved';
    return;
  end if;
  if limit_ut is not null then
    select coalesce(sum(s.amount_ut), 0) into spent_ut from api_key_spend s where s.family_id = family and s.day = today;
    if spent_ut + amount > limit_ut then
      outcome := 'limit_reached';
      wait_sec := greatest(1, ceil(extract(epoch from (today + 1)::timestamp at time zone 'UTC' - clock_timestamp())));
      return;
    end if;
  end if;
  insert into api_key_spend as s (family_id, transaction_id, day, amount_ut, requests)
  values (family, p_transaction_id, today, amount, array[p_request])
  on conflict (family_id, transaction_id) do update set day = excluded.day, amount_ut = excluded.amount_ut,
    requests = array_append(array_remove(s.requests, p_request), p_request);
  outcome := 'reserved';
end $$;

create function return_api_key_spend(p_api_key_id uuid, p_transaction_id uuid, p_request uuid) returns void
language plpgsql as $$
declare
  family uuid := (select k.family_id from api_key k where k.id = p_api_key_id);
begin
  set local synchronous_commit = off;
  update api_key_spend s set requests = array_remove(s.requests, p_request)
    where s.family_id = family and s.transaction_id = p_transaction_id;
  delete from api_key_spend s
    where s.family_id = family and s.transaction_id = p_transaction_id and s.requests = '{}';
end $$;
`;

// Codes are kept as hashes. The key lies sealed under the device code, which only its holder has.
const deviceSession = `
create table device_session (
  id uuid primary key,
  device_code_hash bytea not null unique,
  user_code_hash bytea not null unique,
  agent_platform_type text not null,
  address inet,
  network text not null check (length(network) between 1 and 100),
  user_agent text check (length(user_agent) <= 200),
  status text not null check (status in ('pending', 'approved', 'denied')),
  user_id uuid references "user",
  decided_at timestamptz(3),
  api_key_id uuid references api_key,
  sealed_api_key bytea,
  interval_sec integer not null check (interval_sec between 1 and 600),
  last_polled_at timestamptz(3),
  looked_up_by uuid[] not null default '{}' check (cardinality(looked_up_by) <= 6),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint device_session_decided check ((status = 'pending') = (decided_at is null) and (decided_at is null) = (user_id is null)),
  constraint device_session_key check ((sealed_api_key is null) = (api_key_id is null) and (api_key_id is null or status = 'approved'))
);
create index device_session_expiry on device_session (expires_at);
create index device_session_pending on device_session (expires_at) where status = 'pending';
create index device_session_network on device_session (network) where status = 'pending';
create table device_code_try (
  subject text not null,
  at timestamptz(3) not null
);
create index device_code_try_subject on device_code_try (subject, at desc);
create index device_code_try_age on device_code_try (at);
`;

// Written in the SQL transaction of what it tells of; of a transaction's steps by apply_transition. No foreign keys:
// it outlives what it names. Nothing deletes from it; every field is bounded, so that nobody can fill it with one request.
const auditEntry = `
create table audit_entry (
  seq bigint generated always as identity primary key,
  at timestamptz(3) not null,
  action text not null check (length(action) between 1 and 50),
  actor_user_id uuid,
  credential text not null check (credential in ('none', 'bearer', 'api_key', 'device_code', 'operator')),
  api_key_id uuid,
  address inet,
  request_id text not null check (length(request_id) between 1 and 100),
  target_type text check (length(target_type) between 1 and 50),
  target_id text check (length(target_id) between 1 and 100),
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 4000),
  constraint audit_entry_key check ((credential = 'api_key') = (api_key_id is not null)),
  constraint audit_entry_target check ((target_type is null) = (target_id is null))
);
create index audit_entry_at on audit_entry (at);
create index audit_entry_action on audit_entry (action, seq desc);
create index audit_entry_request on audit_entry (request_id);
create index audit_entry_actor on audit_entry (actor_user_id, seq desc) where actor_user_id is not null;
create index audit_entry_subject on audit_entry (target_id, seq desc) where target_id is not null;
create index audit_entry_api_key on audit_entry (api_key_id, seq desc) where api_key_id is not null;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();
`;
