import { purchase, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellFacts, tellStep } from '../narrator.ts';
import { factsOf } from '../person.ts';
import { resolved } from '../wire.ts';

/** The buyer disputes a delivery; an administrator divides the price. */
export async function playDispute(cast: Cast): Promise<void> {
  const { admin, buyer, seller, report } = cast;
  openScene('a dispute: the price is divided');
  const { id } = await purchase(cast, report);
  tellStep('Sam accepts and delivers.');
  await seller.operate(id, 'accept');
  await seller.operate(id, 'deliver', { result_payload: { report: 'https://sam.example/draft.pdf' } });
  tellStep('Bea disputes: the delivery is incomplete. The automatic confirmation stops.');
  const body = { reason: 'Half of the chapters are missing.', evidence: { chapters_delivered: 3 } };
  const disputed = await buyer.write('/api/v1/transactions/{tx_id}/dispute', { path: { tx_id: id }, body });
  tellFacts(factsOf(disputed));
  await tellWallets(cast);
  tellStep('The administrator decides: 8.00 of 20.00 UT for what was usable, the rest goes back.');
  const decision = { outcome: 'split', seller_share_ut: '8.00', note: 'Three of seven chapters were usable.' };
  tellFacts(await admin.administer('post', `/api/v1/admin/transactions/${id}/resolve`, decision, resolved));
  await tellWallets(cast);
}
