import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { v7 } from 'uuid';
import type { JsonObject } from '../../domain/capability/callback.ts';
import { checkInvocable, type InvocableCapability } from '../../domain/capability/capability.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { findInvocable } from '../../domain/store/capability.store.ts';
import { storeAnswerAlone } from '../../domain/store/idempotency.store.ts';
import { findInvocation, type FoundInvocation } from '../../domain/store/transaction.store.ts';
import { outcomeOf } from '../../domain/transaction/invocation.ts';
import { quote } from '../../domain/transaction/price.ts';
import { toRecord, type TransactionState } from '../../domain/transaction/transaction.ts';
import type { InvocationStart } from '../../workflows/messages.ts';
import { traceOf } from '../audit/audit.ts';
import { withinDailySpend } from '../auth/daily-spend.ts';
import type { Context } from '../deps.ts';
import { Replay } from '../plugins/idempotency.ts';

/** InvokeResult of the interface. */
export interface Invoked {
  readonly transaction_id: string;
  readonly result: JsonObject | null;
  readonly charged_ut: string;
  readonly latency_ms: number;
}

/**
 * Calls a capability and waits for what comes of it. The key derives the transaction's id, so that a retry after any crash
 * finds the same invocation: one that has its outcome is answered from the row, one that runs is waited for.
 * Throws callback_failed or callback_timeout, with the transaction_id, where the money went back.
 */
export async function invokeCapability(
  ctx: Context,
  capabilityId: string,
  input: JsonObject,
): Promise<Invoked | Replay> {
  const id = ctx.newId('invocation');
  const asked = { buyerId: ctx.caller.userId, transactionId: id, at: ctx.now() };
  const { capability, isKnown } = await findInvocable(ctx.em, capabilityId, asked);
  const earlier = isKnown ? await findInvocation(ctx.em, id) : null;
  if (earlier !== null) checkSame(ctx, earlier);
  if (earlier !== null && hasOutcome(earlier)) return new Replay(await answer(ctx, earlier));
  const start = earlier === null ? newStart(ctx, id, capability, input) : again(ctx, earlier, input);
  const run = () => ctx.workflows.invoke(start);
  try {
    await (earlier === null ? withinDailySpend(ctx, id, start.offer.price_ut, run) : run());
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const found = await findInvocation(ctx.em, id);
  if (found === null || !hasOutcome(found))
    throw new MarketplaceError('unavailable', { retry_after_sec: 2, transaction_id: id });
  return await answer(ctx, found);
}

function newStart(
  ctx: Context,
  id: string,
  capability: InvocableCapability | null,
  input: JsonObject,
): InvocationStart {
  if (capability === null) throw new MarketplaceError('not_found', null, { text: 'No such capability.' });
  const callback_url = checkInvocable(capability, ctx.caller.userId);
  return {
    offer: {
      id,
      buyer_user_id: ctx.caller.userId,
      seller_user_id: capability.agent_id,
      capability_id: capability.id,
      demand_id: null,
      task_id: null,
      skill_id: null,
      transaction_type: capability.pricing_model,
      origin: 'invoke',
      context_id: v7(),
      ...quote(capability, null, ctx.settings.transactionTerms),
    },
    callback_timeout_ms: capability.callback_timeout_sec * 1_000,
    call: { callback_url, input, request_id: ctx.requestId, request_hash: ctx.idempotency?.requestHash ?? null },
    request: traceOf(ctx),
  };
}

/** The start of an invocation that is under way; where its workflow was lost, it is what another begins with. */
function again(
  ctx: Context,
  { state, callback_url, request_hash }: FoundInvocation,
  input: JsonObject,
): InvocationStart {
  const leftMs = Date.parse(state.delivery_deadline ?? state.created_at) - ctx.now().getTime();
  return {
    offer: state,
    callback_timeout_ms: Math.max(leftMs, 0),
    call: { callback_url, input, request_id: ctx.requestId, request_hash },
    request: traceOf(ctx),
  };
}

function checkSame(ctx: Context, earlier: FoundInvocation): void {
  if (earlier.request_hash !== (ctx.idempotency?.requestHash ?? null))
    throw new MarketplaceError('idempotency_key_reused');
}

function hasOutcome({ state }: FoundInvocation): boolean {
  return state.status_reason !== 'callback_pending';
}

/** What the caller is told; a success is stored for retries, a failure is told anew from the row. */
async function answer(ctx: Context, { state, last_attempt }: FoundInvocation): Promise<Invoked> {
  const invoked = invokedOf(state, last_attempt);
  if (ctx.idempotency !== null) await storeAnswerAlone(ctx.em, ctx.idempotency, 200, invoked);
  return invoked;
}

function invokedOf(state: TransactionState, last_attempt: FoundInvocation['last_attempt']): Invoked {
  const outcome = outcomeOf(toRecord(state));
  const transaction_id = state.id;
  const { reason = null, http_status = null } = last_attempt ?? {};
  switch (outcome.kind) {
    case 'settled': {
      const { charged_ut, latency_ms } = outcome;
      return { transaction_id, result: state.result_payload, charged_ut, latency_ms };
    }
    case 'later':
      return { transaction_id, result: null, charged_ut: '0', latency_ms: outcome.latency_ms };
    case 'failed':
      throw new MarketplaceError('callback_failed', { transaction_id, reason, http_status });
    case 'timed_out':
      throw new MarketplaceError('callback_timeout', { transaction_id });
  }
}
