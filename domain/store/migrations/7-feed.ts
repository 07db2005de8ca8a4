import { Migration } from '@mikro-orm/migrations';

/** The feed of a user's events, and events that belong to no transaction. */
export class Feed extends Migration {
  override up(): void {
    this.addSql(event);
    this.addSql(appendEvent);
  }
}

// An audience is one or two users, the second of them in no order: a user's feed is two walks along an index, merged. The
// tail of the feed relies on a sequence that hands out one number at a time.
const event = `
alter table event
  drop column written_in,
  alter column transaction_id drop not null,
  alter column step drop not null,
  alter column ordinal drop not null,
  alter column operation drop not null,
  add constraint event_of_transaction check ((transaction_id is null) = (step is null)
    and (transaction_id is null) = (ordinal is null) and (transaction_id is null) = (operation is null)),
  add constraint event_audience check (cardinality(audience) between 1 and 2 and array_lower(audience, 1) = 1
    and audience[1] is not null and (cardinality(audience) = 1 or audience[2] is not null)
    and audience[1] is distinct from audience[2]);
create index event_first_audience on event ((audience[1]), seq);
create index event_second_audience on event ((audience[2]), seq);
`;

const appendEvent = `
create function append_event(p_type text, p_actor_type text, p_actor_user_id uuid, p_audience uuid[], p_data jsonb,
  p_at timestamptz) returns void language plpgsql as $$
begin
  insert into event (type, actor_type, actor_user_id, audience, data, created_at)
  values (p_type, p_actor_type, p_actor_user_id, p_audience, p_data, p_at);
  perform pg_notify('event', '');
end $$;
`;
