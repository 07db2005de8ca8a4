import { Migration } from '@mikro-orm/migrations';

/** Capabilities, transactions, events, and the one function that applies a transition. */
export class Trade extends Migration {
  override up(): void {
    this.addSql(capability);
    this.addSql(transaction);
    this.addSql(event);
    this.addSql(applyTransition);
  }
}

const capability = `
create table capability (
  id uuid primary key,
  agent_id uuid not null references "user",
  title text not null check (length(title) between 1 and 200),
  description text not null,
  category text not null check (length(category) <= 50),
  capability_type text not null check (capability_type in
    ('data', 'compute', 'service', 'tool', 'account_sharing', 'knowledge', 'api', 'workflow')),
  pricing_model text not null check (pricing_model in ('per_use', 'per_query', 'per_hour', 'per_day', 'subscription')),
  price_ut numeric(20,6) not null check (price_ut >= 0),
  tags text[] not null default '{}',
  delivery_mode text not null check (delivery_mode in ('instant', 'async')),
  auto_accept_min_ut numeric(20,6) check (auto_accept_min_ut >= 0),
  daily_limit integer check (daily_limit >= 1),
  rate_limit_per_min integer check (rate_limit_per_min >= 1),
  callback_url text,
  callback_timeout_sec integer not null default 30 check (callback_timeout_sec between 5 and 120),
  quality_score numeric(4,2) not null default 0 check (quality_score between 0 and 5),
  total_sold integer not null default 0 check (total_sold >= 0),
  available boolean not null default true,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint capability_callback check (pricing_model not in ('per_query', 'per_use') or callback_url is not null)
);
create index capability_agent on capability (agent_id, created_at desc, id desc);
create index capability_category on capability (category, created_at desc, id desc) where deleted_at is null;
create index capability_newest on capability (created_at desc, id desc) where deleted_at is null;
create index capability_search on capability
  using gin (to_tsvector('simple', title || ' ' || description)) where deleted_at is null;
`;

// held_ut is what the postings of this transaction hold in the buyer's frozen account: the row cannot claim otherwise.
const transaction = `
create table transaction (
  id uuid primary key,
  buyer_user_id uuid not null references "user",
  seller_user_id uuid not null references "user",
  capability_id uuid not null,
  demand_id uuid,
  task_id uuid,
  skill_id uuid,
  transaction_type text not null,
  origin text not null check (origin in ('purchase', 'invoke', 'demand', 'order')),
  context_id uuid not null,
  price_ut numeric(20,6) not null check (price_ut >= 0),
  held_ut numeric(20,6) not null default 0,
  booked_hours integer check (booked_hours >= 1),
  status text not null check (status in ('pending', 'frozen', 'accepted', 'delivered', 'confirmed', 'disputed',
    'settled', 'cancelled_by_buyer', 'rejected_by_seller', 'failed')),
  status_reason text,
  auto_accept boolean not null,
  change_request_count integer not null default 0 check (change_request_count between 0 and 3),
  result_payload jsonb,
  terms jsonb not null,
  step integer not null check (step >= 1),
  deadline_at timestamptz(3),
  frozen_at timestamptz(3),
  accepted_at timestamptz(3),
  delivered_at timestamptz(3),
  confirmed_at timestamptz(3),
  settled_at timestamptz(3),
  disputed_at timestamptz(3),
  acceptance_deadline timestamptz(3),
  delivery_deadline timestamptz(3),
  auto_confirm_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint transaction_no_self_dealing check (buyer_user_id <> seller_user_id),
  constraint transaction_held_agrees_with_status check (held_ut =
    case when status in ('frozen', 'accepted', 'delivered', 'confirmed', 'disputed') then price_ut else 0 end),
  constraint transaction_always_has_deadline check ((deadline_at is null) =
    (status in ('settled', 'cancelled_by_buyer', 'rejected_by_seller', 'failed'))),
  constraint transaction_times_agree_with_status check (
    (status not in ('frozen', 'accepted', 'delivered', 'confirmed', 'disputed', 'settled') or frozen_at is not null)
    and (status not in ('accepted', 'delivered', 'confirmed', 'disputed', 'settled') or accepted_at is not null)
    and (status not in ('delivered', 'confirmed', 'disputed', 'settled') or delivered_at is not null)
    and (status <> 'disputed' or disputed_at is not null)
    and ((status = 'settled') = (settled_at is not null)))
);
create index transaction_buyer on transaction (buyer_user_id, created_at desc, id desc);
create index transaction_seller on transaction (seller_user_id, created_at desc, id desc);
create index transaction_capability on transaction (capability_id);
create index transaction_open_deadline on transaction (deadline_at) where deadline_at is not null;
`;

const event = `
create table event (
  seq bigint generated always as identity primary key,
  type text not null,
  transaction_id uuid not null references transaction,
  step integer not null,
  ordinal integer not null,
  operation text not null,
  actor_type text not null,
  actor_user_id uuid,
  audience uuid[] not null,
  data jsonb not null,
  written_in xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null,
  unique (transaction_id, step, ordinal)
);
create trigger event_append_only before update or delete or truncate on event
  for each statement execute function refuse_change();
`;

// One round trip a transition: row, money, events and the idempotency record, all or nothing. It decides nothing.
// MKT01: the available balance is too small. MKT02: the key belongs to another request. MKT03: the step does not follow the row.
const applyTransition = `
create function apply_transition(p jsonb) returns text language plpgsql as $$
declare
  s transaction := jsonb_populate_record(null::transaction, p->'state');
  one jsonb;
  held numeric := coalesce((select sum((x->>'amount')::numeric) from jsonb_array_elements(p->'transfers') t,
    jsonb_array_elements(t->'postings') x where x->>'kind' = 'frozen'), 0);
begin
  if s.step = 1 then
    s.held_ut := held;
    insert into transaction select s.* on conflict (id) do nothing;
  else
    update transaction t set
      status = s.status, status_reason = s.status_reason, held_ut = t.held_ut + held, step = s.step,
      change_request_count = s.change_request_count, result_payload = s.result_payload, deadline_at = s.deadline_at,
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
  insert into event (type, transaction_id, step, ordinal, operation, actor_type, actor_user_id, audience, data, created_at)
  select e.value->>'type', s.id, s.step, e.ordinality - 1, e.value->>'operation', e.value->>'actor_type',
    (e.value->>'actor_user_id')::uuid, array[s.buyer_user_id, s.seller_user_id], e.value->'data', s.updated_at
  from jsonb_array_elements(p->'events') with ordinality e order by e.ordinality;
  if s.status = 'settled' then
    update capability set total_sold = total_sold + 1 where id = s.capability_id;
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
