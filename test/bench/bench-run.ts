import type { Client } from '@temporalio/client';
import type { Account } from './parties.ts';

/** What every measure of one run finds running. */
export interface Bench {
  readonly base: string;
  /** The address of the plain server. */
  readonly plain: string;
  /** The address of the server with one route open and the same for callers. */
  readonly authServer: string;
  /** The seller's server, which every address of 127.0.0.0/8 leads to. */
  readonly sellerPort: string;
  readonly admin: Account;
  readonly client: Client;
  /** What the service's processes run with. */
  readonly env: Readonly<Record<string, string>>;
  readonly apiPid: number;
  readonly cpuMs: () => Promise<Record<string, number>>;
}
