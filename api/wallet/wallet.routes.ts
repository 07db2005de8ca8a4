import type { AddRoute } from '../route.ts';
import { readWallet, readWalletEntries } from './wallet.operations.ts';
import { wallet, walletEntriesQuery, walletEntryPage } from './wallet.schemas.ts';

export function walletRoutes(add: AddRoute): void {
  add({
    method: 'GET',
    url: '/api/v1/wallet',
    operationId: 'getWallet',
    summary: "Read the caller's wallet",
    tag: 'wallet',
    access: 'caller',
    write: 'none',
    data: wallet,
    errors: [],
    handler: async (ctx) => await readWallet(ctx, ctx.caller.userId),
  });
  add({
    method: 'GET',
    url: '/api/v1/wallet/entries',
    operationId: 'listWalletEntries',
    summary: "Read the caller's statement, newest first",
    description: 'Append only: an entry never changes. Amounts are signed, and each account runs its own balance.',
    tag: 'wallet',
    access: 'caller',
    write: 'none',
    query: walletEntriesQuery,
    data: walletEntryPage,
    errors: [],
    handler: async (ctx, { query }) => await readWalletEntries(ctx, query),
  });
}
