import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { CallbackAnswer, CallbackOutcome } from '../../domain/capability/callback.ts';
import { endAttempt, forgetAttempt } from '../../domain/store/callback-delivery.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { isConnectionFailure, sqlErrorOf } from '../../domain/store/sql-error.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import { alone, applyTransition } from '../../domain/store/transition.store.ts';
import type { Ask } from '../../domain/transaction/command.ts';
import { decide } from '../../domain/transaction/decide.ts';
import type { TransactionState } from '../../domain/transaction/transaction.ts';
import type { Transition } from '../../domain/transaction/transition.ts';
import type { CallResult } from '../../workflows/messages.ts';
import { whileAway } from '../while-away.ts';

/** A host that is busy is asked again soon, and not by everybody at the same moment. */
const busyPauseMs = { least: 300, spread: 400 } as const;
/** So long the answer of a seller waits for a database that is away. */
const recordWithinMs = 20_000;

/** Records the answer, and what becomes of the transaction; fails where another attempt may help. */
export async function conclude(
  em: Em,
  state: TransactionState,
  deliveryId: string,
  answer: CallbackAnswer,
): Promise<CallResult> {
  if (answer.reason === 'host_busy') {
    await forgetAttempt(em, deliveryId);
    throw passing(answer);
  }
  // By itself and first: no lock of an account stands between an answer and its record.
  const isRecorded = await untilRecorded(() => endAttempt(em, deliveryId, answer, new Date()));
  // Told all the same, it would be an answer without a result. Another attempt costs the seller a repetition.
  if (!isRecorded)
    throw ApplicationFailure.create({ type: 'not_recorded', message: `delivery ${deliveryId} was lost` });
  if (answer.outcome === 'failed') throw passing(answer);
  return await settleOutcome(em, state, deliveryId, answer.outcome);
}

/** Takes the step that a final outcome makes of the transaction, once, however often it is asked for. */
export async function settleOutcome(
  em: Em,
  state: TransactionState,
  deliveryId: string,
  outcome: CallbackOutcome,
): Promise<CallResult> {
  const step = stepOf(state, deliveryId, outcome);
  if (step === null) return { outcome, recorded: null };
  const applied = await untilRecorded(() => applyTransition(em, step, alone));
  return { outcome, recorded: applied === 'applied' ? step.next : await rowOf(em, state.id) };
}

/** What an outcome makes of the transaction; null for one that passes. */
function stepOf(state: TransactionState, delivery_id: string, outcome: CallbackOutcome): Transition | null {
  const ask = askOf(outcome, delivery_id);
  return ask === null ? null : decide(state, { ask, actor: { type: 'callback' } }, Date.now());
}

function askOf(outcome: CallbackOutcome, delivery_id: string): Ask | null {
  switch (outcome) {
    case 'answered':
      return { operation: 'complete', delivery_id };
    case 'accepted':
      return { operation: 'defer' };
    case 'refused':
      return { operation: 'fail', reason: 'callback_failed' };
    case 'timed_out':
      return { operation: 'fail', reason: 'callback_timeout' };
    case 'failed':
      return null;
  }
}

async function rowOf(em: Em, id: string): Promise<TransactionState> {
  const row = await findTransaction(em, id);
  if (row === null) throw new Error(`transaction ${id} is not there`);
  // It may be large, and nobody reads it here.
  return { ...row, result_payload: null };
}

/** Waits for a database that is away; what it refuses for good ends the invocation. */
export async function untilRecorded<T>(record: () => Promise<T>): Promise<T> {
  try {
    return await whileAway(record, recordWithinMs);
  } catch (error) {
    throw isConnectionFailure(error) ? error : finalOf(error);
  }
}

/** Another attempt finds what somebody else has recorded; what the database refuses for good ends the invocation. */
function finalOf(error: unknown): unknown {
  const { code, message } = sqlErrorOf(error);
  if (code === '23505') return ApplicationFailure.create({ type: 'not_recorded', message });
  return code === '' ? error : ApplicationFailure.nonRetryable(message, 'internal_error');
}

/** The failure after which another attempt is made, while time is left. */
function passing({ reason, http_status }: CallbackAnswer): ApplicationFailure {
  const failure = ApplicationFailure.create({
    type: reason ?? 'failed',
    // A fault of the seller's is none of the worker's: its log does not warn of it.
    category: ApplicationFailureCategory.BENIGN,
    message: http_status === null ? `the seller could not be called: ${reason}` : `the seller answered ${http_status}`,
    ...(reason === 'host_busy'
      ? { nextRetryDelay: busyPauseMs.least + Math.round(Math.random() * busyPauseMs.spread) }
      : {}),
  });
  // Where in the code it happened tells an operator nothing.
  failure.stack = '';
  return failure;
}
