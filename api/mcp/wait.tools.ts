import { z } from 'zod';
import {
  isTerminal,
  transactionStatuses,
  type TransactionRecord,
  type TransactionStatus,
} from '../../domain/transaction/transaction.ts';
import type { Context } from '../deps.ts';
import { readTransaction } from '../transaction/transaction.reads.ts';
import { transaction } from '../transaction/transaction.schemas.ts';
import { transactionId } from './tool-input.ts';
import { reads, tool } from './tool.ts';

const maxWaitSec = 30;
export const maxWaitsPerUser = 20;

export const waitForTransaction = tool({
  name: 'wait_for_transaction',
  title: 'Wait for a transaction',
  description:
    'Wait until a transaction of yours leaves its status, for at most 30 s, and read it then. Use it instead of reading ' +
    'again and again; where changed is false and ended is too, call it once more.',
  annotations: reads,
  access: 'caller',
  input: z.strictObject({
    transaction_id: transactionId,
    status: z
      .enum(transactionStatuses)
      .optional()
      .describe('The status you know it to have: one that has left it answers at once. Left out: its present one'),
    timeout_sec: z.number().min(1).max(maxWaitSec).default(20),
  }),
  output: z.object({
    changed: z.boolean().describe('It has another status than the one that was waited to end'),
    ended: z.boolean().describe('Nothing leaves its status'),
    transaction,
  }),
  operationOf: () => 'read',
  run: async (call, { transaction_id, status, timeout_sec }) =>
    await call.exchange.waits.within(call.exchange.caller.userId, () =>
      call.read(async (ctx) => {
        const limit = AbortSignal.timeout(timeout_sec * 1_000);
        const stop = AbortSignal.any([call.signal, ctx.eventFeed.closed, limit]);
        return await untilLeft(ctx, transaction_id, status, stop);
      }),
    ),
});

/** Reads the transaction after each of its events, until it has left the status, has ended, or it is time to stop. */
async function untilLeft(ctx: Context, id: string, given: TransactionStatus | undefined, stop: AbortSignal) {
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  // Subscribed before the first look, so that nothing falls between the two.
  const unsubscribe = ctx.eventFeed.subscribe(id, wake);
  stop.addEventListener('abort', wake, { once: true });
  try {
    let found: TransactionRecord = await readTransaction(ctx, id);
    const left = given ?? found.status;
    while (found.status === left && !isTerminal(found.status) && !stop.aborted) {
      await woken.promise;
      woken = Promise.withResolvers<void>();
      found = await readTransaction(ctx, id);
    }
    return { changed: found.status !== left, ended: isTerminal(found.status), transaction: found };
  } finally {
    unsubscribe();
    stop.removeEventListener('abort', wake);
  }
}
