const keptCalls = 20_000;
const keptTransactions = 20_000;

/** What a call said of itself. Of one that is not verified nothing need be true. */
export interface SeenCall {
  readonly path: string;
  readonly transaction_id: string | null;
  readonly capability_id: string | null;
  readonly attempt: number | null;
  readonly test: boolean;
  readonly input: unknown;
  readonly idempotency_key: string | null;
  readonly webhook_id: string | null;
  readonly request_id: string | null;
  readonly verified: boolean;
}

export interface Call extends SeenCall {
  readonly at: string;
  /** The whole answer was handed to the network. */
  readonly answered: boolean;
  /** Null where nothing was answered. */
  readonly status: number | null;
  /** The seller's own time, from the head of the request to the end of the answer. */
  readonly took_ms: number | null;
}

/** How often one transaction was called, and how often that was answered for good: with anything but a 5xx. */
export interface TransactionTally {
  readonly call_count: number;
  readonly answer_count: number;
}

export interface CallFilter {
  readonly transactionId?: string | null;
  readonly capabilityId?: string | null;
}

/** A call that has begun. */
export interface BegunCall {
  /** Counts the verified calls of the transaction from 1; 0 for a call that is not verified. */
  readonly ordinal: number;
  finish(status: number): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the seller has seen: the last calls, and a tally of each transaction. */
export class CallLog {
  #calls: Call[] = [];
  #tallies = new Map<string, Mutable<TransactionTally>>();

  begin(seen: SeenCall, receivedAtMs: number): BegunCall {
    const call: Mutable<Call> = { at: new Date().toISOString(), ...seen, answered: false, status: null, took_ms: null };
    this.#calls.push(call);
    if (this.#calls.length > keptCalls) this.#calls.shift();
    const tally = seen.verified && seen.transaction_id !== null ? this.#tallyOf(seen.transaction_id) : null;
    if (tally !== null) tally.call_count += 1;
    return {
      ordinal: tally?.call_count ?? 0,
      finish(status) {
        call.answered = true;
        call.status = status;
        call.took_ms = performance.now() - receivedAtMs;
        if (tally !== null && status < 500) tally.answer_count += 1;
      },
    };
  }

  list({ transactionId, capabilityId }: CallFilter): readonly Call[] {
    return this.#calls.filter(
      (call) =>
        (call.transaction_id === transactionId || (transactionId ?? null) === null) &&
        (call.capability_id === capabilityId || (capabilityId ?? null) === null),
    );
  }

  tally(transactionId: string): TransactionTally {
    return this.#tallies.get(transactionId) ?? { call_count: 0, answer_count: 0 };
  }

  /** Calls that are still running go on, and are not noted any more. */
  forget(): void {
    this.#calls = [];
    this.#tallies = new Map();
  }

  #tallyOf(transactionId: string): Mutable<TransactionTally> {
    const known = this.#tallies.get(transactionId);
    if (known !== undefined) return known;
    const tally = { call_count: 0, answer_count: 0 };
    this.#tallies.set(transactionId, tally);
    const [oldest] = this.#tallies.keys();
    if (this.#tallies.size > keptTransactions && oldest !== undefined) this.#tallies.delete(oldest);
    return tally;
  }
}
