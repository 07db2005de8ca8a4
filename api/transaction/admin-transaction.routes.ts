import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import type { PartyAsk } from '../../domain/transaction/command.ts';
import { toRecord } from '../../domain/transaction/transaction.ts';
import type { AddRoute } from '../route.ts';
import { operate } from './transaction.operations.ts';
import { resolveBody, transaction, transactionParams } from './transaction.schemas.ts';

const base = '/api/v1/admin/transactions/:tx_id';

export function adminTransactionRoutes(add: AddRoute): void {
  add({
    method: 'GET',
    url: base,
    operationId: 'adminGetTransaction',
    summary: 'Read any transaction',
    tag: 'admin',
    access: 'support',
    write: 'none',
    hidden: true,
    params: transactionParams,
    data: transaction,
    errors: ['not_found'],
    audit: { action: 'transaction.read', detail: ({ params }) => ({ target: transactionTarget(params.tx_id) }) },
    handler: async (ctx, { params }) => {
      const state = await findTransaction(ctx.em, params.tx_id);
      if (state === null) throw new MarketplaceError('not_found', null, { text: 'No such transaction.' });
      return toRecord(state);
    },
  });
  add({
    method: 'POST',
    url: `${base}/resolve`,
    operationId: 'resolveTransaction',
    summary: 'Decide a dispute: settle, refund or split',
    tag: 'admin',
    access: 'admin',
    write: 'workflow',
    hidden: true,
    params: transactionParams,
    body: resolveBody,
    data: transaction,
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: {
      action: 'transaction.resolve',
      detail: ({ params, body: { outcome, seller_share_ut } }) => ({
        target: transactionTarget(params.tx_id),
        data: { outcome, seller_share_ut },
      }),
    },
    handler: (ctx, { params, body }) => operate(ctx, params.tx_id, askOf(body)),
  });
}

function transactionTarget(id: string) {
  return { type: 'transaction', id } as const;
}

function askOf({ outcome, seller_share_ut, note }: z.output<typeof resolveBody>): PartyAsk {
  if (outcome === 'split') return { operation: 'resolve', outcome, seller_share_ut: seller_share_ut ?? '0.00', note };
  return { operation: 'resolve', outcome, note };
}
