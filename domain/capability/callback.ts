/** The call of a capability: what the platform sends to its callback address, and what may come of it. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The body of the call. Source: decisions, "Invoke and callbacks". */
export interface CallbackBody {
  readonly transaction_id: string;
  readonly capability_id: string;
  readonly buyer_user_id: string;
  readonly input: JsonObject;
  /** Counts the calls of one invocation, from 1. */
  readonly attempt: number;
  /** RFC 3339; an answer after it is not waited for. */
  readonly expires_at: string;
  /** The owner tries the address; nobody bought anything. */
  readonly test?: true;
}

/**
 * `answered`: 2xx with a JSON object, the result. `accepted`: 202, the seller delivers later. `refused`: final, another
 * attempt would not help. `failed`: passing, tried again while time is left. `timed_out`: no answer before the end.
 */
export const callbackOutcomes = ['answered', 'accepted', 'refused', 'failed', 'timed_out'] as const;
export type CallbackOutcome = (typeof callbackOutcomes)[number];

/** Why a call was refused or failed. Shown to seller and buyer; names nothing of the platform's network. */
export const callbackReasons = [
  // refused
  'http_3xx',
  'http_4xx',
  'not_json_object',
  'answer_too_large',
  'address_refused',
  'no_secret',
  // failed
  'http_5xx',
  'unresolvable',
  'connection_failed',
  'tls_failed',
  'host_busy',
  'cancelled',
] as const;
export type CallbackReason = (typeof callbackReasons)[number];

/** What came of one attempt. */
export interface CallbackAnswer {
  readonly outcome: CallbackOutcome;
  /** Null unless refused or failed. */
  readonly reason: CallbackReason | null;
  /** Null where no answer came. */
  readonly http_status: number | null;
  readonly latency_ms: number;
  /** Null unless answered. */
  readonly result: JsonObject | null;
}

export const answerMaxBytes = 1024 * 1024;
