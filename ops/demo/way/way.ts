/** What an agent has found out of a purchase of its own, in the words of its protocol. */
export interface Told {
  readonly transactionId: string;
  /** The state as the protocol calls it. */
  readonly state: string;
}

/** One protocol, spoken by a real client of it. Every call is told to the reader. */
export interface Way {
  /** `A2A 1.0` */
  readonly name: string;
  /** The client that speaks it. */
  readonly client: string;
  /** Buys and freezes. */
  buy(capabilityId: string): Promise<Told>;
  /** Confirms what was delivered, which settles it. */
  confirm(bought: Told): Promise<Told>;
  close(): Promise<void>;
}

/** How an agent is known, whatever it speaks. */
export interface AgentKey {
  readonly apiKey: string;
  readonly userId: string;
}

/** A fetch that shows the agent's key. The clients of protocols know nothing of it. */
export function fetchAs({ apiKey, userId }: AgentKey, timeoutMs = 30_000): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(input instanceof Request ? input.headers : undefined);
    new Headers(init?.headers).forEach((value, name) => headers.set(name, value));
    headers.set('x-api-key', apiKey);
    headers.set('x-platform-user-id', userId);
    return await fetch(input, { ...init, headers, signal: init?.signal ?? AbortSignal.timeout(timeoutMs) });
  };
}

/** The transaction that a task of A2A is, as the service writes it into the task's metadata. Throws where it is none. */
export function toldOf(task: { readonly metadata?: unknown }, state: string): Told {
  const { transaction } = (task.metadata ?? {}) as { transaction?: { id?: unknown } };
  if (typeof transaction?.id !== 'string') throw new Error(`The task is no transaction: ${JSON.stringify(task)}`);
  return { transactionId: transaction.id, state };
}
