import { checkLedger } from '../../domain/store/ledger.store.ts';
import type { AddRoute } from '../route.ts';
import { creditWallet, readWallet } from './wallet.operations.ts';
import { creditBody, ledgerCheck, wallet, walletParams } from './wallet.schemas.ts';

const shared = { tag: 'admin', access: 'admin', hidden: true } as const;

/** Money as administrators see it. */
export function adminWalletRoutes(add: AddRoute): void {
  add({
    ...shared,
    method: 'POST',
    url: '/api/v1/admin/wallets/:user_id/credit',
    operationId: 'creditWallet',
    summary: 'Credit a user from issuance',
    write: 'plain',
    httpStatus: 201,
    params: walletParams,
    body: creditBody,
    data: wallet,
    errors: ['not_found', 'conflict'],
    audit: {
      action: 'wallet.credit',
      detail: ({ params, body }) => ({
        target: { type: 'user', id: params.user_id },
        data: { amount_ut: body.amount_ut },
      }),
    },
    handler: async (ctx, { params, body }) => await creditWallet(ctx, params.user_id, body),
  });
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/admin/wallets/:user_id',
    operationId: 'getWalletOfUser',
    summary: "Read a user's wallet",
    write: 'none',
    params: walletParams,
    data: wallet,
    errors: ['not_found'],
    audit: { action: 'wallet.read', detail: ({ params }) => ({ target: { type: 'user', id: params.user_id } }) },
    handler: async (ctx, { params }) => await readWallet(ctx, params.user_id),
  });
  add({
    ...shared,
    method: 'GET',
    url: '/api/v1/admin/ledger/check',
    operationId: 'checkLedger',
    summary: 'Check the whole ledger against itself and the transactions',
    write: 'none',
    data: ledgerCheck,
    errors: [],
    handler: async (ctx) => await checkLedger(ctx.em),
  });
}
