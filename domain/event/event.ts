/** An event as a party sees it. `seq` orders all events; within one transaction without gaps in time. */
export interface EventRecord {
  readonly seq: string;
  readonly type: string;
  /** This and the next two are null together, for what belongs to no transaction. */
  readonly transaction_id: string | null;
  readonly step: number | null;
  readonly operation: string | null;
  readonly actor_type: string;
  readonly actor_user_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** An event of one transaction. */
export interface TransactionEventRecord extends EventRecord {
  readonly transaction_id: string;
  readonly step: number;
  readonly operation: string;
}
