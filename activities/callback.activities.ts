import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 } from 'uuid';
import type { CallbackAnswer, CallbackBody } from '../domain/capability/callback.ts';
import { beginAttempt, beginTest, endAttempt, forgetAttempt } from '../domain/store/callback-delivery.store.ts';
import { activeCallbackSecrets, callbackSecretPurpose } from '../domain/store/callback-secret.store.ts';
import type { Em } from '../domain/store/orm.ts';
import type { Seal } from '../domain/store/seal.ts';
import type { CallbackActivities, CallResult } from '../workflows/messages.ts';
import type { SellerClient } from './callback/seller-client.ts';

export interface CallbackParts {
  readonly orm: MikroORM;
  readonly seal: Seal;
  readonly seller: SellerClient;
}

/** Well below the heartbeat timeout of the call. */
const heartbeatEveryMs = 1_500;
/** A host that is busy is asked again soon, and not by everybody at the same moment. */
const busyPauseMs = { least: 300, spread: 400 } as const;

/**
 * The calls of sellers. An outcome is recorded before it is told to the workflow: where a worker dies in between, the next
 * attempt finds it and does not call again.
 */
export function callbackActivities({ orm, seal, seller }: CallbackParts): CallbackActivities {
  /** One attempt that is recorded as begun: calls, records what came of it, and tells. */
  async function attempt(
    em: Em,
    deliveryId: string,
    sealed: readonly Buffer[],
    call: { readonly url: string; readonly requestId: string; readonly body: CallbackBody },
  ): Promise<CallbackAnswer> {
    const { capability_id, transaction_id, expires_at } = call.body;
    const secrets = sealed.map((one) => seal.decrypt(one, callbackSecretPurpose(capability_id)));
    const answer = await whileAlive((signal) =>
      seller.call({ ...call, secrets, messageId: transaction_id, expiresAtMs: Date.parse(expires_at), signal }),
    );
    if (answer.reason === 'host_busy') await forgetAttempt(em, deliveryId);
    else if (!(await endAttempt(em, deliveryId, answer, new Date())))
      // Told all the same, it would be an answer without a result. Another attempt costs the seller a repetition.
      throw ApplicationFailure.create({ type: 'not_recorded', message: `delivery ${deliveryId} was lost` });
    return answer;
  }

  return {
    async callSeller({ transaction_id }): Promise<CallResult> {
      const em = orm.em.fork();
      const delivery_id = v7();
      const begun = await beginAttempt(em, transaction_id, delivery_id, new Date());
      if (begun === null) throw ApplicationFailure.nonRetryable(`${transaction_id} is no invocation`, 'internal_error');
      if (begun.earlier !== null) return begun.earlier;
      const { capability_id, buyer_user_id, input, expires_at } = begun;
      // No other attempt is made: the time is over, or a party has ended the wait and nobody looks at this any more.
      if (begun.attempt === null)
        return { outcome: begun.last_outcome === 'failed' ? 'failed' : 'timed_out', delivery_id };
      const body = { transaction_id, capability_id, buyer_user_id, input, attempt: begun.attempt, expires_at };
      const call = { url: begun.callback_url, requestId: begun.request_id, body };
      const answer = await attempt(em, delivery_id, begun.sealed, call);
      if (answer.outcome === 'failed') throw passing(answer);
      return { outcome: answer.outcome, delivery_id };
    },

    async callForTest(test): Promise<CallResult> {
      const em = orm.em.fork();
      const { delivery_id, capability_id } = test;
      const now = new Date();
      await beginTest(em, delivery_id, capability_id, now);
      const expires_at = new Date(now.getTime() + test.timeout_ms).toISOString();
      const parties = { transaction_id: delivery_id, capability_id, buyer_user_id: test.owner_user_id };
      const body: CallbackBody = { ...parties, input: test.input, attempt: 1, expires_at, test: true };
      const call = { url: test.callback_url, requestId: test.request_id, body };
      const sealed = await activeCallbackSecrets(em, capability_id, now);
      const { outcome } = await attempt(em, delivery_id, sealed, call);
      return { outcome, delivery_id };
    },
  };
}

/** Keeps telling the server that the call goes on, which is also how the call learns that it is not wanted any more. */
async function whileAlive(call: (signal: AbortSignal) => Promise<CallbackAnswer>): Promise<CallbackAnswer> {
  const context = Context.current();
  const startedAt = performance.now();
  // The heartbeat has to be sent while nothing else happens.
  const timer = setInterval(() => context.heartbeat(), heartbeatEveryMs);
  try {
    return await call(context.cancellationSignal);
  } catch (error) {
    if (!context.cancellationSignal.aborted) throw error;
    const latency_ms = Math.round(performance.now() - startedAt);
    return { outcome: 'failed', reason: 'cancelled', http_status: null, latency_ms, result: null };
  } finally {
    clearInterval(timer);
  }
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
