import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { MikroORM } from '@mikro-orm/postgresql';
import { errorTable, type ErrorData, type ErrorName } from '../domain/errors.ts';
import { formatUt, ut } from '../domain/ut.ts';
import { storeAnswer } from '../domain/store/idempotency.store.ts';
import { sqlErrorOf } from '../domain/store/sql-error.ts';
import { findTransaction } from '../domain/store/transaction.store.ts';
import {
  applyTransition,
  dailyLimitState,
  insufficientBalanceState,
  keyReusedState,
  rateLimitState,
} from '../domain/store/transition.store.ts';
import { toRecord } from '../domain/transaction/transaction.ts';
import type { IdempotencyTag, TransactionActivities } from '../workflows/messages.ts';

/** The activities of the transaction workflow. Idempotent: the step is the key. */
export function transactionActivities(orm: MikroORM): TransactionActivities {
  return {
    async applyTransition({ idempotency, invocation, request, ...transition }) {
      const em = orm.em.fork();
      const outcome = await applyTransition(em, transition, { answers: idempotency, invocation, request }).catch(
        (error: unknown) => {
          throw asRefusal(error, transition.next.price_ut);
        },
      );
      if (outcome === 'applied') return null;
      // What stands in the row is what happened.
      const row = await findTransaction(em, transition.next.id);
      if (row === null) throw new Error(`transaction ${transition.next.id} was recorded but is not there`);
      const sameStep = outcome === 'already_applied';
      if (sameStep && idempotency !== null)
        await storeAnswer(em, claimOf(idempotency), idempotency.http_status, toRecord(row));
      return { row, sameStep };
    },
  };
}

function claimOf({ user_id, key, request_hash }: IdempotencyTag) {
  return { userId: user_id, key, requestHash: request_hash };
}

/** Refusals and broken invariants end the operation; anything else is a passing fault and is tried again. */
function asRefusal(error: unknown, priceUt: string): unknown {
  const { code, detail, message } = sqlErrorOf(error);
  if (code === insufficientBalanceState) {
    const data = { available_ut: formatUt(ut(detail ?? '0')), required_ut: priceUt };
    return refusal('insufficient_balance', data);
  }
  if (code === dailyLimitState) return refusal('daily_limit_reached', { retry_after_sec: Number(detail) });
  if (code === rateLimitState) return refusal('rate_limited', { retry_after_sec: Number(detail) });
  if (code === keyReusedState) return refusal('idempotency_key_reused', null);
  // Classes 22, 23 and P0: the statement can never succeed. MKT03: the row is behind, as after a restored backup.
  if (/^(22|23|P0|MKT)/.test(code)) return ApplicationFailure.nonRetryable(message, 'internal_error', null);
  return error;
}

/** What a caller is told is no fault of the worker: its log does not warn of it. */
function refusal(type: ErrorName, data: ErrorData | null): ApplicationFailure {
  const message = errorTable[type].text;
  const category = ApplicationFailureCategory.BENIGN;
  const failure = ApplicationFailure.create({ type, message, nonRetryable: true, details: [data], category });
  // Where in the code it was refused tells nobody anything, and would stand in the history twice.
  failure.stack = '';
  return failure;
}
