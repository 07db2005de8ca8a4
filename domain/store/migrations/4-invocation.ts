import { Migration } from '@mikro-orm/migrations';

/** Invocations, their callbacks and their limits. */
export class Invocation extends Migration {
  override up(): void {
    this.addSql(callbackSecret);
    this.addSql(invocation);
    this.addSql(limit);
    this.addSql(checkLimit);
    this.addSql(applyTransition);
  }
}

// Sealed under the secret key. One is current; a replaced one goes on signing until it expires.
const callbackSecret = `
create table callback_secret (
  id uuid primary key,
  capability_id uuid not null references capability,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create unique index callback_secret_current on callback_secret (capability_id) where expires_at is null;
create index callback_secret_capability on callback_secret (capability_id, expires_at);
`;

const invocation = `
create table invocation (
  transaction_id uuid primary key references transaction,
  callback_url text not null,
  input jsonb not null,
  request_id text not null,
  request_hash text
);
create table callback_delivery (
  id uuid primary key,
  capability_id uuid not null references capability,
  transaction_id uuid references transaction,
  attempt integer not null check (attempt >= 1),
  outcome text check (outcome in ('answered', 'accepted', 'refused', 'failed', 'timed_out')),
  reason text,
  http_status integer check (http_status between 100 and 999),
  latency_ms integer check (latency_ms >= 0),
  result jsonb,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  unique (transaction_id, attempt),
  constraint callback_delivery_ends_with_outcome check ((ended_at is null) = (outcome is null)),
  constraint callback_delivery_result check ((outcome is not distinct from 'answered') = (result is not null))
);
create unique index callback_delivery_final on callback_delivery (transaction_id)
  where outcome in ('answered', 'accepted', 'refused');
create index callback_delivery_newest on callback_delivery (capability_id, started_at desc, id desc);
`;

// Counts the rows themselves, so that a limit that is set or changed during the day holds at once. own is 1 where the
// row of the invocation that asks is there already.
const limit = `
create index transaction_invoked on transaction (capability_id, created_at desc) where origin = 'invoke';

create function invocation_wait(c capability, at timestamptz, own integer, out reached text, out wait_sec integer)
language plpgsql as $$
declare
  day_start timestamptz := date_trunc('day', at, 'UTC');
  oldest timestamptz;
begin
  if c.daily_limit is not null then
    perform from transaction t where t.capability_id = c.id and t.origin = 'invoke' and t.created_at >= day_start
      order by t.created_at desc offset c.daily_limit - 1 + own limit 1;
    if found then
      reached := 'day';
      wait_sec := greatest(1, ceil(extract(epoch from day_start + interval '1 day' - at)));
      return;
    end if;
  end if;
  if c.rate_limit_per_min is not null then
    select t.created_at into oldest from transaction t
      where t.capability_id = c.id and t.origin = 'invoke' and t.created_at > at - interval '1 minute'
      order by t.created_at desc offset c.rate_limit_per_min - 1 + own limit 1;
    if found then
      reached := 'minute';
      wait_sec := greatest(1, ceil(extract(epoch from oldest + interval '1 minute' - at)));
    end if;
  end if;
end $$;
`;

// The lock makes it exact: of two invocations at once, the second counts the first. It is taken after the accounts, as by
// a settlement. MKT04: the daily limit is reached. MKT05: the limit a minute is. Detail: seconds to wait.
const checkLimit = `
create function check_invocation_limit(p_capability_id uuid, at timestamptz) returns void language plpgsql as $$
declare
  c capability;
  wait record;
begin
  select * into c from capability where id = p_capability_id;
  if c.daily_limit is null and c.rate_limit_per_min is null then
    return;
  end if;
  select * into c from capability where id = p_capability_id for no key update;
  select * into wait from invocation_wait(c, at, 1);
  if wait.reached = 'day' then
    raise exception 'daily limit reached' using errcode = 'MKT04', detail = wait.wait_sec::text;
  elsif wait.reached = 'minute' then
    raise exception 'limit a minute reached' using errcode = 'MKT05', detail = wait.wait_sec::text;
  end if;
end $$;
`;

// As before, and: the result of a callback, the call of an invocation, its limits, the line in the audit trail.
const applyTransition = `
create or replace function apply_transition(p jsonb) returns text language plpgsql as $$
declare
  s transaction := jsonb_populate_record(null::transaction, p->'state');
  one jsonb;
  held numeric := coalesce((select sum((x->>'amount')::numeric) from jsonb_array_elements(p->'transfers') t,
    jsonb_array_elements(t->'postings') x where x->>'kind' = 'frozen'), 0);
  result jsonb := (select d.result from callback_delivery d
    where d.id = (p->>'result_delivery_id')::uuid and d.transaction_id = s.id);
begin
  if result is null and p->>'result_delivery_id' is not null then
    raise exception 'delivery % has no result', p->>'result_delivery_id' using errcode = 'MKT03';
  end if;
  if s.step = 1 then
    s.held_ut := held;
    insert into transaction select s.* on conflict (id) do nothing;
  else
    update transaction t set
      status = s.status, status_reason = s.status_reason, held_ut = t.held_ut + held, step = s.step,
      change_request_count = s.change_request_count, result_payload = coalesce(result, s.result_payload), deadline_at = s.deadline_at,
      frozen_at = s.frozen_at, accepted_at = s.accepted_at, delivered_at = s.delivered_at,
      confirmed_at = s.confirmed_at, settled_at = s.settled_at, disputed_at = s.disputed_at,
      acceptance_deadline = s.acceptance_deadline, delivery_deadline = s.delivery_deadline,
      auto_confirm_at = s.auto_confirm_at, updated_at = s.updated_at
    where t.id = s.id and t.step = s.step - 1;
  end if;
  if not found then
    if exists (select 1 from event e, jsonb_populate_record(null::event, p->'events'->0) asked
               where e.transaction_id = s.id and e.step = s.step and e.ordinal = 0 and e.operation = asked.operation
                 and e.actor_type = asked.actor_type and e.actor_user_id is not distinct from asked.actor_user_id
                 and e.data = asked.data) then
      return 'already_applied';
    end if;
    if exists (select 1 from transaction t where t.id = s.id and t.step >= s.step) then
      return 'superseded';
    end if;
    raise exception 'step % of transaction % does not follow the row', s.step, s.id using errcode = 'MKT03';
  end if;
  for one in select * from jsonb_array_elements(p->'transfers') loop
    case post_transfer(one)
      when 'posted' then null;
      when 'insufficient_balance' then
        raise exception 'insufficient balance' using errcode = 'MKT01', detail =
          (select balance::text from account where owner_id = s.buyer_user_id and kind = 'available');
      else raise exception 'transfer % is already posted', one->>'id' using errcode = 'MKT03';
    end case;
  end loop;
  if p->'invocation' <> 'null'::jsonb then
    insert into invocation (transaction_id, callback_url, input, request_id, request_hash)
    values (s.id, p->'invocation'->>'callback_url', p->'invocation'->'input', p->'invocation'->>'request_id',
      p->'invocation'->>'request_hash');
    perform check_invocation_limit(s.capability_id, s.created_at);
  end if;
  insert into event (type, transaction_id, step, ordinal, operation, actor_type, actor_user_id, audience, data, created_at)
  select e.value->>'type', s.id, s.step, e.ordinality - 1, e.value->>'operation', e.value->>'actor_type',
    (e.value->>'actor_user_id')::uuid, array[s.buyer_user_id, s.seller_user_id], e.value->'data', s.updated_at
  from jsonb_array_elements(p->'events') with ordinality e order by e.ordinality;
  if s.status = 'settled' then
    update capability set total_sold = total_sold + 1 where id = s.capability_id;
  end if;
  if p->'request' <> 'null'::jsonb then
    insert into audit_entry (at, action, actor_user_id, credential, api_key_id, address, request_id, target_type, target_id, data)
    select s.updated_at, 'transaction.' || e.operation, e.actor_user_id, r.credential, r.api_key_id, r.address, r.request_id,
      'transaction', s.id::text, jsonb_build_object('status', s.status, 'step', s.step)
    from jsonb_populate_record(null::event, p->'events'->0) e,
      jsonb_to_record(p->'request') r (credential text, api_key_id uuid, address inet, request_id text);
  end if;
  if p->'idempotency' <> 'null'::jsonb then
    insert into idempotency_record as r (user_id, key, request_hash, state, locked_until, http_status, body)
    values ((p->'idempotency'->>'user_id')::uuid, p->'idempotency'->>'key', p->'idempotency'->>'request_hash', 'done',
      clock_timestamp(), (p->'idempotency'->>'http_status')::integer, (p->>'answer')::json)
    on conflict (user_id, key) do update set state = 'done', http_status = excluded.http_status, body = excluded.body
      where r.request_hash = excluded.request_hash;
    if not found then
      raise exception 'the idempotency key belongs to another request' using errcode = 'MKT02';
    end if;
  end if;
  perform pg_notify('event', s.id::text);
  return 'applied';
end $$;
`;
