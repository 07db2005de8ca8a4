import { Migration } from '@mikro-orm/migrations';

/** The keys that sign agent cards and push notifications; and finding the configs of tasks that ended long ago. */
export class AgentProtocol extends Migration {
  override up(): void {
    this.addSql(a2aSigningKey);
    this.addSql(configAge);
  }
}

// A table of its own: whoever signs access tokens takes the newest key of signing_key, also a program of before this.
const a2aSigningKey = `
create table a2a_signing_key (
  id text primary key,
  purpose text not null check (purpose in ('agent-card', 'push-notification')),
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3)
);
`;

const configAge = `create index webhook_config_age on webhook (updated_at) where transaction_id is not null;`;
