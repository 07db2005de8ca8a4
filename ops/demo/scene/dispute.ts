import { purchase, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellFacts, tellStep } from '../narrator.ts';
import { factsOf } from '../person.ts';
import { transaction } from '../wire.ts';

/** The buyer disputes a delivery; an administrator divides the price. */
export async function playDispute(cast: Cast): Promise<void> {
  const { admin, buyer, seller, report } = cast;
  openScene('a dispute: the price is divided');
  const { id } = await purchase(cast, report);
  tellStep('Sam accepts and delivers.');
  await seller.operate(id, 'accept');
  await seller.operate(id, 'deliver', { result_payload: { report: 'https://sam.example/draft.pdf' } });
  tellStep('Bea disputes: the delivery is incomplete. The automatic confirmation stops.');
  await buyer.operate(id, 'dispute', {
    reason: 'Half of the chapters are missing.',
    evidence: { chapters_delivered: 3 },
  });
  await tellWallets(cast);
  tellStep('The administrator decides: 8.00 of 20.00 UT for what was usable, the rest goes back.');
  const resolved = await admin.write(
    `/api/v1/admin/transactions/${id}/resolve`,
    {
      outcome: 'split',
      seller_share_ut: '8.00',
      note: 'Three of seven chapters were usable.',
    },
    transaction,
  );
  tellFacts(factsOf(resolved));
  await tellWallets(cast);
}
