import type { OperationClass } from '../../domain/caller.ts';
import type { PartyAsk } from '../../domain/transaction/command.ts';
import { lifecycle, type PartyOperation } from '../../domain/transaction/lifecycle.ts';
import { parseBy } from '../parse.ts';
import { emptyBody } from '../schemas.ts';
import { deliverBody, disputeBody, requestChangesBody } from './transaction.schemas.ts';

/** The operations of buyer and seller, for the ways in that name the operation in a field. */
export const askable = [
  'freeze',
  'confirm',
  'cancel',
  'accept',
  'reject',
  'deliver',
  'dispute',
  'request_changes',
] as const satisfies readonly Exclude<PartyOperation, 'resolve'>[];
export type Askable = (typeof askable)[number];

/** What a key must be allowed: a step of the buyer's buys, one of the seller's sells. */
export function classOf(operation: Askable): OperationClass {
  return lifecycle.some((move) => move.operation === operation && move.by === 'buyer') ? 'buy' : 'sell';
}

/** Reads the fields of the REST body. Throws validation_failed for what this operation needs and lacks, or does not take. */
export function readAsk(operation: Askable, fields: Readonly<Record<string, unknown>>): PartyAsk {
  switch (operation) {
    case 'deliver':
      return { operation, result_payload: parseBy(deliverBody, fields)?.result_payload ?? null };
    case 'dispute': {
      const { reason, evidence } = parseBy(disputeBody, fields);
      return { operation, reason, evidence: evidence ?? null };
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
