import type { TransactionRecord } from '../domain/transaction/transaction.ts';
import { open } from '../domain/transaction/transition.ts';
import { ignoreCancellation } from './cancellation.ts';
import { answeredUpdateName, createdUpdateName, type TransactionStart } from './messages.ts';
import { TransactionLife } from './transaction-life.ts';

/** One transaction, from its first row to a terminal status: waits for an operation or a deadline, decides, applies. */
export async function transaction(start: TransactionStart): Promise<TransactionRecord> {
  ignoreCancellation();
  const requestHash = start.kind === 'offer' ? (start.idempotency?.request_hash ?? null) : null;
  const life = new TransactionLife(requestHash, start.status_rest_ms ?? 0);
  if (start.kind === 'resume') {
    life.resume(start.state);
    const recorded = Promise.resolve();
    life.answerAt(createdUpdateName, recorded);
    // Of a lost invocation nobody knows any more what the seller answered: its deadline gives the money back.
    life.answerAt(answeredUpdateName, recorded);
    return await life.untilEnd(recorded);
  }
  const { offer, idempotency, request = null } = start;
  const created = life.begin(() => open(offer, Date.now()), { idempotency, invocation: null, request });
  life.answerAt(createdUpdateName, created);
  return await life.untilEnd(created);
}
