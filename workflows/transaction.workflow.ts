import type { TransactionRecord } from '../domain/transaction/transaction.ts';
import { open } from '../domain/transaction/transition.ts';
import { ignoreCancellation } from './cancellation.ts';
import { answeredUpdateName, createdUpdateName, type TransactionStart } from './messages.ts';
import { TransactionLife } from './transaction-life.ts';

/** One transaction, from its first row to a terminal status: waits for an operation or a deadline, decides, applies. */
export async function transaction(start: TransactionStart): Promise<TransactionRecord> {
  ignoreCancellation();
  const life = new TransactionLife(start.kind === 'offer' ? (start.idempotency?.request_hash ?? null) : null);
  life.answerWhen(createdUpdateName, () => life.isRecorded);

  if (start.kind === 'resume') {
    life.resume(start.state);
    // Of a lost invocation nobody knows any more what the seller answered: its deadline gives the money back.
    life.answerWhen(answeredUpdateName, () => true);
  } else {
    const { offer, idempotency, request = null } = start;
    await life.begin(() => open(offer, Date.now()), { idempotency, invocation: null, request });
  }
  return await life.untilEnd();
}
