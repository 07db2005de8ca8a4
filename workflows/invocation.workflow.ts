import { ActivityFailure, CancellationScope, condition, TimeoutFailure } from '@temporalio/workflow';
import type { Ask } from '../domain/transaction/command.ts';
import { openInvocation } from '../domain/transaction/invocation.ts';
import type { TransactionRecord, TransactionState } from '../domain/transaction/transaction.ts';
import { callbackCall } from './activities.ts';
import { ignoreCancellation } from './cancellation.ts';
import { answeredUpdateName, type CallResult, type InvocationStart } from './messages.ts';
import { TransactionLife } from './transaction-life.ts';

/** How long the look at what was recorded may wait for a worker. */
const lastLookMs = 10_000;

/**
 * One invocation: freezes the price, calls the seller, settles or gives the money back. Where the seller answers "later",
 * it goes on as any accepted transaction.
 */
export async function invocation(start: InvocationStart): Promise<TransactionRecord> {
  ignoreCancellation();
  const { offer, call, callback_timeout_ms, request } = start;
  const life = new TransactionLife(call.request_hash, start.status_rest_ms ?? 0);
  const opened = () => openInvocation(offer, callback_timeout_ms, Date.now());
  const begun = life.begin(opened, { idempotency: null, invocation: call, request });
  const answered = begun.then(() => callSeller(life, callback_timeout_ms));
  life.answerAt(answeredUpdateName, answered);
  return await life.untilEnd(answered);
}

/** Calls the seller, and ends with what came of it recorded; ends sooner where a party has ended the wait. */
async function callSeller(life: TransactionLife, timeoutMs: number): Promise<void> {
  const { state } = life;
  if (state.status_reason !== 'callback_pending') return;
  const leftMs = state.delivery_deadline === null ? timeoutMs : Date.parse(state.delivery_deadline) - Date.now();
  const scope = new CancellationScope();
  const call = () => callbackCall(leftMs).callSeller({ state });
  const calling = scope.run(() => call().catch((error: unknown) => recordedMeanwhile(state, error)));
  const overtaken = condition(() => life.state.status_reason !== 'callback_pending').then(() => null);
  const ended = await Promise.race([calling.catch(endOfFailure), overtaken]);
  if (ended === null) scope.cancel();
  else if (ended.recorded !== null) await life.catchUp(ended.recorded);
  else await life.orTrouble('callback', () => life.operate({ ask: failOf(ended), actor: { type: 'callback' } }));
}

/**
 * The time is over, but an attempt may have been recorded whose worker did not live to tell: another one finds it, and
 * calls nobody.
 */
async function recordedMeanwhile(state: TransactionState, error: unknown): Promise<CallResult> {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) throw error;
  return await callbackCall(lastLookMs).callSeller({ state });
}

/** No attempt had an outcome before the time was over. */
function endOfFailure(error: unknown): CallResult {
  if (!(error instanceof ActivityFailure)) throw error;
  return { outcome: error.cause instanceof TimeoutFailure ? 'timed_out' : 'failed', recorded: null };
}

function failOf({ outcome }: CallResult): Ask {
  return { operation: 'fail', reason: outcome === 'timed_out' ? 'callback_timeout' : 'callback_failed' };
}
