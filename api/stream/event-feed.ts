/** Wakes whoever waits for events of a transaction; one LISTEN connection a process feeds it. */
export interface EventFeed {
  /** Aborts when the process stops: streams end then, and clients come back with Last-Event-ID. */
  readonly closed: AbortSignal;
  /** Calls `wake` after each commit that wrote an event of this transaction, and after every reconnect. */
  subscribe(transactionId: string, wake: () => void): () => void;
  close(): Promise<void>;
}
