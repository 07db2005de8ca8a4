import { ActivityFailure, CancellationScope, condition, TimeoutFailure } from '@temporalio/workflow';
import type { Ask } from '../domain/transaction/command.ts';
import { openInvocation } from '../domain/transaction/invocation.ts';
import type { TransactionRecord } from '../domain/transaction/transaction.ts';
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
  const { offer, call, callback_timeout_ms } = start;
  const life = new TransactionLife(call.request_hash);
  let hasOutcome = false;
  life.answerWhen(answeredUpdateName, () => hasOutcome);

  const opened = () => openInvocation(offer, callback_timeout_ms, Date.now());
  await life.begin(opened, { idempotency: null, invocation: call });
  const ask = await callSeller(life, callback_timeout_ms);
  if (ask !== null) await life.orTrouble('callback', () => life.operate({ ask, actor: { type: 'callback' } }, null));
  hasOutcome = true;
  return await life.untilEnd();
}

/** What the call makes of the transaction; null where there is nothing to do, because a party has ended the wait. */
async function callSeller(life: TransactionLife, timeoutMs: number): Promise<Ask | null> {
  const { id, status_reason, delivery_deadline } = life.state;
  if (status_reason !== 'callback_pending') return null;
  const leftMs = delivery_deadline === null ? timeoutMs : Date.parse(delivery_deadline) - Date.now();
  const scope = new CancellationScope();
  const call = () => callbackCall(leftMs).callSeller({ transaction_id: id });
  const calling = scope
    .run(() => call().catch((error: unknown) => recordedMeanwhile(id, error)))
    .then(askOf, askOfFailure);
  const overtaken = condition(() => life.state.status_reason !== 'callback_pending').then(() => null);
  const ask = await Promise.race([calling, overtaken]);
  if (ask === null) scope.cancel();
  return ask;
}

function askOf({ outcome, delivery_id }: CallResult): Ask {
  switch (outcome) {
    case 'answered':
      return { operation: 'complete', delivery_id };
    case 'accepted':
      return { operation: 'defer' };
    case 'timed_out':
      return { operation: 'fail', reason: 'callback_timeout' };
    case 'refused':
    case 'failed':
      return { operation: 'fail', reason: 'callback_failed' };
  }
}

/**
 * The time is over, but an attempt may have been recorded whose worker did not live to tell: another one finds it, and
 * calls nobody.
 */
async function recordedMeanwhile(transactionId: string, error: unknown): Promise<CallResult> {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) throw error;
  return await callbackCall(lastLookMs).callSeller({ transaction_id: transactionId });
}

/** No attempt had an outcome before the time was over. */
function askOfFailure(error: unknown): Ask {
  if (!(error instanceof ActivityFailure)) throw error;
  const reason = error.cause instanceof TimeoutFailure ? 'callback_timeout' : 'callback_failed';
  return { operation: 'fail', reason };
}
