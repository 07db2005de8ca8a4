import { Migration } from '@mikro-orm/migrations';

/** People of an external issuer, failed sign-ins, word of ended sessions. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(externalIdentity);
    this.addSql(signInTry);
    this.addSql(takeSignInTry);
    this.addSql(sessionEnd);
  }
}

// Whoever comes from an external issuer has no password here, and an e-mail address only if it is verified and free.
const externalIdentity = `
alter table "user" alter column email drop not null, alter column password_hash drop not null;
create table external_identity (
  issuer text not null check (issuer <> ''),
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null unique references "user",
  created_at timestamptz(3) not null,
  primary key (issuer, subject)
);
`;

// Subjects are hashes: what was typed into a form, a password in the wrong field included, is not kept.
const signInTry = `
create table sign_in_try (
  id bigint generated always as identity primary key,
  account bytea,
  address bytea not null,
  at timestamptz(3) not null
);
create index sign_in_try_account on sign_in_try (account, at desc) where account is not null;
create index sign_in_try_address on sign_in_try (address, at desc);
create index sign_in_try_age on sign_in_try (at);
`;

// The try is recorded before the password is looked at, under a lock: tries at once cannot pass the limit together.
// The locks are taken in one order, account before address, so that no two wait for each other. No disk is waited for.
const takeSignInTry = `
create function take_sign_in_try(p_account bytea, p_address bytea, p_account_limit integer, p_address_limit integer,
  p_window interval, out try_id bigint, out retry_after_sec integer) language plpgsql as $$
declare
  now_at timestamptz;
  free_at timestamptz;
begin
  set local synchronous_commit = off;
  perform pg_advisory_xact_lock(7233, hashtext(encode(p_account, 'hex')));
  perform pg_advisory_xact_lock(7234, hashtext(encode(p_address, 'hex')));
  now_at := clock_timestamp();
  select max(taken.at) + p_window into free_at from (
    (select t.at from sign_in_try t where t.account = p_account and t.at > now_at - p_window
      order by t.at desc offset p_account_limit - 1 limit 1)
    union all
    (select t.at from sign_in_try t where t.address = p_address and t.at > now_at - p_window
      order by t.at desc offset p_address_limit - 1 limit 1)
  ) taken;
  if free_at is null then
    insert into sign_in_try (account, address, at) values (p_account, p_address, now_at) returning id into try_id;
  else
    retry_after_sec := greatest(1, ceil(extract(epoch from free_at - now_at)));
  end if;
end $$;
`;

// Told once a family, by its first token, which is revoked with the others and forgotten last.
const sessionEnd = `
create index refresh_token_revoked on refresh_token (revoked_at) where revoked_at is not null and id = family_id;
create function tell_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_end', new.family_id::text);
  return null;
end $$;
create trigger refresh_token_session_end after update on refresh_token for each row
  when (new.id = new.family_id and old.revoked_at is null and new.revoked_at is not null)
  execute function tell_session_end();
`;
