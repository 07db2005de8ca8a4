import type { PartyOperation, TimerOperation } from './lifecycle.ts';

/** Who asks. Only `user` comes from outside; an operator signals from the Temporal UI or the support command. */
export type Actor =
  | { readonly type: 'user'; readonly user_id: string; readonly is_admin: boolean }
  | { readonly type: 'operator'; readonly name: string }
  | { readonly type: 'timer' }
  | { readonly type: 'system' }
  | { readonly type: 'callback' };

type BareOperation = 'freeze' | 'accept' | 'reject' | 'confirm' | 'cancel' | 'auto_accept' | 'defer' | TimerOperation;
type BareAsk = { [O in BareOperation]: { readonly operation: O } }[BareOperation];

/** What is asked, with what each operation needs to know. */
export type Ask =
  | BareAsk
  | { readonly operation: 'fail'; readonly reason?: string }
  /** The result lies with the delivery that is named, and becomes the transaction's. */
  | { readonly operation: 'complete'; readonly delivery_id: string }
  | { readonly operation: 'deliver'; readonly result_payload?: Readonly<Record<string, unknown>> | null }
  | { readonly operation: 'request_changes'; readonly note: string }
  | {
      readonly operation: 'dispute';
      readonly reason: string;
      readonly evidence?: Readonly<Record<string, unknown>> | null;
    }
  | { readonly operation: 'resolve'; readonly outcome: 'settle' | 'refund'; readonly note: string }
  | {
      readonly operation: 'resolve';
      readonly outcome: 'split';
      readonly seller_share_ut: string;
      readonly note: string;
    };

export interface Command {
  readonly ask: Ask;
  readonly actor: Actor;
}

export type PartyAsk = Extract<Ask, { operation: PartyOperation }>;
