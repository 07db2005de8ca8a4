import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { v7 } from 'uuid';
import type { z } from 'zod';
import type { RequestTrace } from '../../domain/audit/audit-entry.ts';
import { isAdmin } from '../../domain/caller.ts';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { findOffered } from '../../domain/store/capability.store.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import type { Command, PartyAsk } from '../../domain/transaction/command.ts';
import { decide } from '../../domain/transaction/decide.ts';
import { quote } from '../../domain/transaction/price.ts';
import {
  isTerminal,
  toRecord,
  type TransactionOffer,
  type TransactionRecord,
} from '../../domain/transaction/transaction.ts';
import { withinDailySpend } from '../auth/daily-spend.ts';
import { traceOf } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import type { createTransactionBody } from './transaction.schemas.ts';

/** Buys a capability: the offer is fixed here, the workflow records it. Answers the pending transaction. */
export async function createTransaction(
  ctx: Context,
  body: z.output<typeof createTransactionBody>,
): Promise<TransactionRecord> {
  const offer = await makeOffer(ctx, body);
  try {
    return await ctx.workflows.create(offer, ctx.idempotency, traceOf(ctx));
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return await earlierTransaction(ctx, offer);
    throw error;
  }
}

async function makeOffer(ctx: Context, body: z.output<typeof createTransactionBody>): Promise<TransactionOffer> {
  const capability = await findOffered(ctx.em, body.capability_id);
  if (capability === null) throw new MarketplaceError('not_found', null, { text: 'No such capability.' });
  if (capability.agent_id === ctx.caller.userId) throw new MarketplaceError('self_dealing');
  if (!capability.available)
    throw new MarketplaceError('conflict', null, { text: 'This capability is not available now.' });
  if (body.demand_id) throw invalidField('demand_id', 'no such demand');
  return {
    id: ctx.newId('transaction'),
    buyer_user_id: ctx.caller.userId,
    seller_user_id: capability.agent_id,
    capability_id: capability.id,
    demand_id: null,
    task_id: null,
    skill_id: null,
    transaction_type: capability.pricing_model,
    origin: 'purchase',
    context_id: body.context_id ?? v7(),
    ...quote(capability, body.booked_hours ?? null, ctx.settings.transactionTerms),
  };
}

/** The key made a transaction whose workflow has ended, longer ago than answers are kept. */
async function earlierTransaction(ctx: Context, offer: TransactionOffer): Promise<TransactionRecord> {
  const state = await findTransaction(ctx.em, offer.id);
  if (state === null) throw new MarketplaceError('unavailable', { retry_after_sec: 2, transaction_id: offer.id });
  if (state.capability_id !== offer.capability_id) throw new MarketplaceError('idempotency_key_reused');
  return toRecord(state);
}

/** Carries out one operation of a party or an admin, and waits for what it did. */
export async function operate(ctx: Context, id: string, ask: PartyAsk): Promise<TransactionRecord> {
  const actor = { type: 'user', user_id: ctx.caller.userId, is_admin: isAdmin(ctx.caller) } as const;
  const command: Command = { ask, actor };
  if (ask.operation !== 'freeze') return await carryOut(ctx, id, command);
  return await withinDailySpend(ctx, id, null, () => carryOut(ctx, id, command));
}

async function carryOut(ctx: Context, id: string, command: Command): Promise<TransactionRecord> {
  const first = await attempt(ctx, id, command);
  return first instanceof MarketplaceError || first === null ? await retryFromRow(ctx, id, command, first) : first;
}

/** The record, the refusal by a status that may be behind the row, or null where no workflow runs. */
async function attempt(
  ctx: Context,
  id: string,
  command: Command,
): Promise<TransactionRecord | MarketplaceError | null> {
  try {
    return await ctx.workflows.operate(id, command, ctx.idempotency, requestOf(ctx, command));
  } catch (error) {
    if (error instanceof MarketplaceError && error.errorName === 'invalid_state') return error;
    throw error;
  }
}

/**
 * The row is what happened. Where it says something else than the workflow, or no workflow runs, a workflow goes on from
 * it; what had ended stays ended.
 */
async function retryFromRow(
  ctx: Context,
  id: string,
  command: Command,
  refusal: MarketplaceError | null,
): Promise<TransactionRecord> {
  const state = await findTransaction(ctx.em, id);
  if (state === null) throw new MarketplaceError('not_found', null, { text: 'No such transaction.' });
  if (refusal !== null && refusal.data?.['status'] === state.status) throw refusal;
  if (refusal !== null || !isTerminal(state.status)) {
    ctx.log.warn({ transaction_id: id, status: state.status }, 'the workflow goes on from the row');
    await ctx.workflows.resume(state);
  }
  if (isTerminal(state.status)) decide(state, command, ctx.now().getTime());
  const done = await ctx.workflows.operate(id, command, ctx.idempotency, requestOf(ctx, command));
  if (done === null) throw new MarketplaceError('unavailable', { retry_after_sec: 2, transaction_id: id });
  return done;
}

/** A resolution has a line of its own in the trail, which says how it was resolved. */
function requestOf(ctx: Context, { ask }: Command): RequestTrace | null {
  return ask.operation === 'resolve' ? null : traceOf(ctx);
}
