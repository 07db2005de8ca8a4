import { z } from 'zod';
import { askable, classOf, readAsk } from '../transaction/party-ask.ts';
import { operate } from '../transaction/transaction.operations.ts';
import { deliverBody, disputeBody, requestChangesBody, transaction } from '../transaction/transaction.schemas.ts';
import { idempotencyKey, transactionId } from './tool-input.ts';
import { tool, writes } from './tool.ts';

const { result_payload } = deliverBody.unwrap().unwrap().shape;
const { reason, evidence } = disputeBody.shape;
const { note } = requestChangesBody.shape;

const input = z.strictObject({
  transaction_id: transactionId,
  operation: z.enum(askable),
  result_payload: result_payload.describe('deliver only, and may be left out: the result, if it is small'),
  reason: reason.optional().describe('dispute only, and required there'),
  evidence: evidence.describe('dispute only, and may be left out'),
  note: note.optional().describe('request_changes only, and required there: what to change'),
  idempotency_key: idempotencyKey,
});

export const operateTransaction = tool({
  name: 'operate_transaction',
  title: 'Do something with a transaction',
  description:
    'Move a transaction of yours on. As its buyer: freeze the price (pending), cancel (pending, frozen), confirm ' +
    '(delivered, disputed: pays the seller, for good), request_changes with a note (delivered), dispute with a reason ' +
    '(delivered). As its seller: accept or reject (frozen), deliver (accepted), reject (also accepted, disputed). ' +
    'Answers the transaction after it; invalid_state names what its status allows.',
  annotations: writes,
  access: 'caller',
  input,
  output: transaction,
  operationOf: ({ operation }) => classOf(operation),
  run: async (call, { transaction_id, idempotency_key: _key, operation, ...fields }) => {
    const ask = readAsk(operation, fields);
    return await call.write(200, (ctx) => operate(ctx, transaction_id, ask));
  },
});
