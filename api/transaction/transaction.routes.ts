import type { ErrorName } from '../../domain/errors.ts';
import type { AddRoute } from '../route.ts';
import { emptyBody } from '../schemas.ts';
import { classOf } from './party-ask.ts';
import { createTransaction, operate } from './transaction.operations.ts';
import { readTransaction, readTransactions } from './transaction.reads.ts';
import * as schemas from './transaction.schemas.ts';

const base = '/api/v1/transactions';
const refusals: readonly ErrorName[] = ['not_found', 'not_a_party', 'invalid_state'];
const common = { tag: 'transactions', access: 'caller' } as const;
const operation = { ...common, method: 'POST', write: 'workflow', params: schemas.transactionParams } as const;

export function transactionRoutes(add: AddRoute): void {
  add({
    ...common,
    method: 'POST',
    operation: 'buy',
    write: 'workflow',
    url: base,
    operationId: 'createTransaction',
    summary: 'Buy a capability; the transaction waits for the freeze',
    body: schemas.createTransactionBody,
    data: schemas.transaction,
    httpStatus: 201,
    errors: ['not_found', 'self_dealing', 'conflict'],
    handler: (ctx, { body }) => createTransaction(ctx, body),
  });
  add({
    ...common,
    method: 'GET',
    write: 'none',
    url: base,
    operationId: 'listTransactions',
    summary: 'List your transactions, newest first',
    query: schemas.listTransactionsQuery,
    data: schemas.transactionPage,
    errors: [],
    handler: (ctx, { query }) => readTransactions(ctx, query),
  });
  add({
    ...common,
    method: 'GET',
    write: 'none',
    url: `${base}/:tx_id`,
    operationId: 'getTransaction',
    summary: 'Read a transaction; buyer and seller only',
    params: schemas.transactionParams,
    data: schemas.transaction,
    errors: ['not_found', 'not_a_party'],
    handler: (ctx, { params }) => readTransaction(ctx, params.tx_id),
  });
  plainOperations(add);
  add({
    ...operation,
    operation: classOf('deliver'),
    url: `${base}/:tx_id/deliver`,
    operationId: 'deliverTransaction',
    summary: 'Seller: deliver, optionally with a small result',
    body: schemas.deliverBody,
    data: schemas.transaction,
    errors: refusals,
    handler: (ctx, { params, body }) =>
      operate(ctx, params.tx_id, { operation: 'deliver', result_payload: body?.result_payload ?? null }),
  });
  add({
    ...operation,
    operation: classOf('dispute'),
    url: `${base}/:tx_id/dispute`,
    operationId: 'disputeTransaction',
    summary: 'Buyer: dispute a delivery; stops the automatic confirmation',
    body: schemas.disputeBody,
    data: schemas.transaction,
    errors: refusals,
    handler: (ctx, { params, body }) =>
      operate(ctx, params.tx_id, { operation: 'dispute', reason: body.reason, evidence: body.evidence ?? null }),
  });
  add({
    ...operation,
    operation: classOf('request_changes'),
    url: `${base}/:tx_id/request-changes`,
    operationId: 'requestChangesOfTransaction',
    summary: 'Buyer: ask for changes of a delivery, at most three times',
    body: schemas.requestChangesBody,
    data: schemas.transaction,
    errors: refusals,
    handler: (ctx, { params, body }) => operate(ctx, params.tx_id, { operation: 'request_changes', note: body.note }),
  });
}

/** The operations that need no body. */
function plainOperations(add: AddRoute): void {
  const rows = [
    ['freeze', 'Buyer: freeze the price', ['insufficient_balance', 'daily_limit_reached']],
    ['accept', 'Seller: accept', []],
    ['reject', 'Seller: reject; the price goes back to the buyer', []],
    ['confirm', 'Buyer: confirm the delivery; settles at once', []],
    ['cancel', 'Buyer: cancel before acceptance; the price goes back', []],
  ] as const satisfies readonly (readonly [string, string, readonly ErrorName[]])[];
  for (const [name, summary, errors] of rows) {
    add({
      ...operation,
      operation: classOf(name),
      url: `${base}/:tx_id/${name}`,
      operationId: `${name}Transaction`,
      summary,
      body: emptyBody,
      data: schemas.transaction,
      errors: [...refusals, ...errors],
      handler: (ctx, { params }) => operate(ctx, params.tx_id, { operation: name }),
    });
  }
}
