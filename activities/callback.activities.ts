import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 } from 'uuid';
import type { CallbackAnswer, CallbackBody, CallbackOutcome } from '../domain/capability/callback.ts';
import { beginAttempt, beginTest, endAttempt, forgetAttempt } from '../domain/store/callback-delivery.store.ts';
import { activeCallbackSecrets, callbackSecretPurpose } from '../domain/store/callback-secret.store.ts';
import type { Seal } from '../domain/store/seal.ts';
import type { CallbackActivities, CallResult } from '../workflows/messages.ts';
import { beating } from './beating.ts';
import { conclude, settleOutcome, untilRecorded } from './callback/conclusion.ts';
import type { SellerClient } from './callback/seller-client.ts';

export interface CallbackParts {
  readonly orm: MikroORM;
  readonly seal: Seal;
  readonly seller: SellerClient;
}

/**
 * The calls of sellers. An outcome is recorded at once, then the step that it makes of the transaction, and then the
 * workflow hears of it: where a worker dies in between, the next attempt goes on from there and does not call again.
 */
export function callbackActivities({ orm, seal, seller }: CallbackParts): CallbackActivities {
  async function call(
    sealed: readonly Buffer[],
    given: { readonly url: string; readonly requestId: string; readonly body: CallbackBody },
  ): Promise<CallbackAnswer> {
    const { capability_id, transaction_id, expires_at } = given.body;
    const secrets = sealed.map((one) => seal.decrypt(one, callbackSecretPurpose(capability_id)));
    const { cancellationSignal: signal } = Context.current();
    const startedAt = performance.now();
    try {
      const expiresAtMs = Date.parse(expires_at);
      return await seller.call({ ...given, secrets, messageId: transaction_id, expiresAtMs, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      const latency_ms = Math.round(performance.now() - startedAt);
      return { outcome: 'failed', reason: 'cancelled', http_status: null, latency_ms, result: null };
    }
  }

  return {
    async callSeller({ state }): Promise<CallResult> {
      const em = orm.em.fork();
      const delivery_id = v7();
      const begun = await beginAttempt(em, state.id, delivery_id, new Date());
      if (begun === null) throw ApplicationFailure.nonRetryable(`${state.id} is no invocation`, 'internal_error');
      if (begun.earlier !== null)
        return await settleOutcome(em, state, begun.earlier.delivery_id, begun.earlier.outcome);
      // No other attempt is made: the time is over, or a party has ended the wait and nobody looks at this any more.
      if (begun.attempt === null)
        return { outcome: begun.last_outcome === 'failed' ? 'failed' : 'timed_out', recorded: null };
      const { id: transaction_id, capability_id, buyer_user_id } = state;
      const { input, attempt, expires_at } = begun;
      const body = { transaction_id, capability_id, buyer_user_id, input, attempt, expires_at };
      const given = { url: begun.callback_url, requestId: begun.request_id, body };
      return await beating(async () => await conclude(em, state, delivery_id, await call(begun.sealed, given)));
    },

    async callForTest(test): Promise<CallbackOutcome> {
      const em = orm.em.fork();
      const { delivery_id, capability_id } = test;
      const now = new Date();
      await beginTest(em, delivery_id, capability_id, now);
      const expires_at = new Date(now.getTime() + test.timeout_ms).toISOString();
      const parties = { transaction_id: delivery_id, capability_id, buyer_user_id: test.owner_user_id };
      const body: CallbackBody = { ...parties, input: test.input, attempt: 1, expires_at, test: true };
      const sealed = await activeCallbackSecrets(em, capability_id, now);
      const given = { url: test.callback_url, requestId: test.request_id, body };
      const answer = await beating(() => call(sealed, given));
      if (answer.reason === 'host_busy') await forgetAttempt(em, delivery_id);
      else await untilRecorded(() => endAttempt(em, delivery_id, answer, new Date()));
      return answer.outcome;
    },
  };
}
