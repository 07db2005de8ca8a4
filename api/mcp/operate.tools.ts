import { z } from 'zod';
import type { OperationClass } from '../../domain/caller.ts';
import type { PartyAsk } from '../../domain/transaction/command.ts';
import { lifecycle } from '../../domain/transaction/lifecycle.ts';
import { parseBy } from '../parse.ts';
import { emptyBody } from '../schemas.ts';
import { operate } from '../transaction/transaction.operations.ts';
import { deliverBody, disputeBody, requestChangesBody, transaction } from '../transaction/transaction.schemas.ts';
import { idempotencyKey, transactionId } from './tool-input.ts';
import { tool, writes } from './tool.ts';

const operations = [
  'freeze',
  'confirm',
  'cancel',
  'accept',
  'reject',
  'deliver',
  'dispute',
  'request_changes',
] as const;
type Operation = (typeof operations)[number];

const { result_payload } = deliverBody.unwrap().unwrap().shape;
const { reason, evidence } = disputeBody.shape;
const { note } = requestChangesBody.shape;

const input = z.strictObject({
  transaction_id: transactionId,
  operation: z.enum(operations),
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
  run: async (call, given) => {
    const ask = askOf(given);
    return await call.write(200, (ctx) => operate(ctx, given.transaction_id, ask));
  },
});

/** A step of the buyer's buys, one of the seller's sells. */
function classOf(operation: Operation): OperationClass {
  return lifecycle.some((move) => move.operation === operation && move.by === 'buyer') ? 'buy' : 'sell';
}

/** Throws validation_failed for what this operation needs and lacks, or does not take. */
function askOf(given: z.output<typeof input>): PartyAsk {
  const { transaction_id: _id, idempotency_key: _key, operation, ...fields } = given;
  switch (operation) {
    case 'deliver':
      return { operation, result_payload: parseBy(deliverBody, fields)?.result_payload ?? null };
    case 'dispute': {
      const body = parseBy(disputeBody, fields);
      return { operation, reason: body.reason, evidence: body.evidence ?? null };
    }
    case 'request_changes':
      return { operation, note: parseBy(requestChangesBody, fields).note };
    case 'freeze':
    case 'confirm':
    case 'cancel':
    case 'accept':
    case 'reject':
      parseBy(emptyBody, fields);
      return { operation };
  }
}
