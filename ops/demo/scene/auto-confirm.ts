import { messageOf } from '../../stack/deadline.ts';
import { purchase, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellCall, tellFacts, tellNote, tellStep } from '../narrator.ts';
import { factsOf } from '../person.ts';
import { letTimePass } from '../time-skip.ts';

const soonMs = 60_000;
const settleWithinMs = 120_000;

/** Nobody confirms; the transaction settles by itself when `auto_confirm_at` passes. */
export async function playAutoConfirm(cast: Cast): Promise<void> {
  const { buyer, seller, report } = cast;
  openScene('nobody confirms: the deadline does');
  const { id } = await purchase(cast, report);
  tellStep('Sam accepts.');
  await seller.operate(id, 'accept');
  tellStep('Sam delivers.');
  const delivered = await seller.operate(id, 'deliver', {
    result_payload: { report: 'https://sam.example/report.pdf' },
  });

  const remainingMs = Date.parse(delivered.auto_confirm_at ?? '') - Date.now();
  tellStep('Bea says nothing.');
  if (!(await isDeadlineNear(cast, id, remainingMs))) return;

  tellStep('Sam follows the transaction’s events until it has ended.');
  tellCall(`GET /api/v1/transactions/${id}/events`, 'text/event-stream');
  const waitMs = Math.min(Math.max(remainingMs, 0), soonMs) + settleWithinMs;
  for await (const { id: seq, type, data } of seller.market.transactionEvents(id, {
    signal: AbortSignal.timeout(waitMs),
  })) {
    tellFacts({ [`event ${seq}`]: `${type}, by ${data.operation}` });
  }
  const settled = await buyer.transaction(id);
  tellFacts(factsOf(settled));
  if (settled.status !== 'settled')
    throw new Error(`Transaction ${id} should have settled by itself; it is ${settled.status}.`);
  await tellWallets(cast);
}

/** False if the deadline is days away and cannot be brought near. */
async function isDeadlineNear({ target }: Cast, id: string, remainingMs: number): Promise<boolean> {
  const hours = Math.round(remainingMs / 3_600_000);
  if (remainingMs <= soonMs) {
    tellNote(`auto_confirm_at is ${Math.max(Math.round(remainingMs / 1_000), 0)} s away.`);
    return true;
  }
  tellNote(`auto_confirm_at is ${hours} h away.`);
  try {
    if (target.temporalAddress === null) throw new Error('the address of Temporal is not known: set TEMPORAL_ADDRESS');
    await letTimePass(target.temporalAddress, target.temporalNamespace, id);
    tellNote(
      `An operator lets ${hours} h pass for this one transaction: its workflow’s time, in Temporal, skips to its timer.`,
    );
    return true;
  } catch (error) {
    tellNote(
      `Its time cannot be skipped here (${messageOf(error)}).\nIt stays delivered, and settles by itself when the time comes. ` +
        'To see it in seconds:\n  AUTO_CONFIRM_AFTER=5s npm start',
    );
    return false;
  }
}
