import { Migration } from '@mikro-orm/migrations';

/** Webhooks, their secrets, their deliveries with every attempt, and how far the relay has come. */
export class Webhook extends Migration {
  override up(): void {
    this.addSql(webhook);
    this.addSql(secret);
    this.addSql(delivery);
    this.addSql(cursor);
  }
}

// transaction_id: an agent protocol's, for one transaction; null for a subscription to all that its user is a party to.
// platform_id: whose key made it; it ends with the grant. after_seq: it gets events after this one. A deleted one keeps
// its row until its deliveries are forgotten.
const webhook = `
create table webhook (
  id uuid primary key,
  user_id uuid not null references "user",
  platform_id uuid references platform,
  protocol text not null check (protocol in ('events', 'a2a-0.1', 'a2a-0.3', 'a2a-1.0')),
  transaction_id uuid references transaction,
  config_id text check (length(config_id) between 1 and 200),
  url text not null check (length(url) between 1 and 2000),
  event_types text[] not null default '{}' check (cardinality(event_types) <= 50),
  description text check (length(description) <= 500),
  sealed_credential bytea,
  protocol_data jsonb,
  after_seq bigint not null,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'owner')),
  failing_since timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint webhook_of_transaction check ((protocol = 'events') = (transaction_id is null)),
  constraint webhook_disabled check ((status = 'disabled') = (disabled_at is not null)
    and (disabled_at is null) = (disabled_reason is null)),
  constraint webhook_deleted check (deleted_at is null or status = 'disabled')
);
create index webhook_newest on webhook (user_id, created_at desc, id desc) where deleted_at is null;
create index webhook_user on webhook (user_id) where status = 'enabled' and transaction_id is null;
create index webhook_transaction on webhook (transaction_id) where deleted_at is null and transaction_id is not null;
create unique index webhook_config on webhook (user_id, transaction_id, config_id)
  where deleted_at is null and config_id is not null;
create index webhook_gone on webhook (deleted_at) where deleted_at is not null;
`;

// Sealed under the secret key. One is current; a replaced one goes on signing until it expires.
const secret = `
create table webhook_secret (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create unique index webhook_secret_current on webhook_secret (webhook_id) where expires_at is null;
create index webhook_secret_webhook on webhook_secret (webhook_id, expires_at);
`;

// The id derives from webhook and event_seq, which is null for a test. run counts the sendings that the owner asked for, from 1, failure_count the failed attempts
// of the present run. started_at: since when a workflow is known to be at it. What a receiver answers is not kept.
const delivery = `
create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  event_seq bigint,
  event_type text not null,
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  run integer not null default 1 check (run >= 1),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  failure_count integer not null default 0 check (failure_count >= 0),
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3),
  started_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint webhook_delivery_ends check ((status = 'pending') = (ended_at is null)
    and (status = 'pending') = (next_attempt_at is not null))
);
create index webhook_delivery_newest on webhook_delivery (webhook_id, created_at desc, event_seq desc, id desc);
create index webhook_delivery_unstarted on webhook_delivery (next_attempt_at) where status = 'pending' and started_at is null;
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'pending';
create index webhook_delivery_pending on webhook_delivery (webhook_id) where status = 'pending';
create index webhook_delivery_oldest on webhook_delivery (created_at);
create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery on delete cascade,
  number integer not null check (number >= 1),
  started_at timestamptz(3) not null,
  outcome text check (outcome in ('delivered', 'failed', 'gone')),
  reason text,
  http_status integer check (http_status between 100 and 999),
  latency_ms integer check (latency_ms >= 0),
  primary key (delivery_id, number)
);
`;

// Nobody had a webhook before this.
const cursor = `
create table webhook_cursor (
  is_only boolean primary key default true check (is_only),
  seq bigint not null
);
insert into webhook_cursor (seq) select coalesce(max(seq), 0) from event;
`;
