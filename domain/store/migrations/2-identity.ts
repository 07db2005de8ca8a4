import { Migration } from '@mikro-orm/migrations';

/** Users, their refresh tokens, signing keys, platforms with API keys and grants, idempotency records. */
export class Identity extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(claimIdempotencyKey);
  }
}

const tables = `
create table "user" (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  display_name text not null,
  roles text[] not null default '{user}' check (roles <@ array['user', 'support', 'admin']),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table refresh_token (
  id uuid primary key,
  family_id uuid not null,
  user_id uuid not null references "user",
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index refresh_token_family on refresh_token (family_id);
create index refresh_token_user on refresh_token (user_id);

create table signing_key (
  id text primary key,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3)
);

create table platform (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz(3) not null
);

create table api_key (
  id uuid primary key,
  platform_id uuid not null references platform,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_key_platform on api_key (platform_id);

create table platform_grant (
  platform_id uuid not null references platform,
  user_id uuid not null references "user",
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (platform_id, user_id)
);
create index platform_grant_user on platform_grant (user_id);

create table idempotency_record (
  user_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  request_hash text not null,
  state text not null check (state in ('running', 'done')),
  locked_until timestamptz(3) not null,
  http_status integer,
  body json,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key),
  constraint idempotency_done_has_answer check (state = 'running' or http_status is not null)
);
create index idempotency_record_age on idempotency_record (created_at);
`;

// The claim need not survive a crash of the database: derived ids find the same object then. So it waits for no disk.
const claimIdempotencyKey = `
create function claim_idempotency_key(p_user_id uuid, p_key text, p_request_hash text, p_lock interval,
  out outcome text, out http_status integer, out body json) language plpgsql as $$
declare
  known idempotency_record;
begin
  set local synchronous_commit = off;
  insert into idempotency_record (user_id, key, request_hash, state, locked_until)
  values (p_user_id, p_key, p_request_hash, 'running', clock_timestamp() + p_lock)
  on conflict (user_id, key) do nothing;
  if found then
    outcome := 'claimed';
    return;
  end if;
  select * into known from idempotency_record r where r.user_id = p_user_id and r.key = p_key for update;
  if not found then
    outcome := 'running';
  elsif known.request_hash <> p_request_hash then
    outcome := 'reused';
  elsif known.state = 'done' then
    outcome := 'done';
    http_status := known.http_status;
    body := known.body;
  elsif known.locked_until < clock_timestamp() then
    update idempotency_record r set locked_until = clock_timestamp() + p_lock
      where r.user_id = p_user_id and r.key = p_key;
    outcome := 'claimed';
  else
    outcome := 'running';
  end if;
end $$;
`;
