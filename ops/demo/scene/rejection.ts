import { purchase, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellStep } from '../narrator.ts';

/** The seller rejects; the frozen price comes back. */
export async function playRejection(cast: Cast): Promise<void> {
  openScene('a rejection: the money comes back');
  const { id } = await purchase(cast, cast.report);
  await tellWallets(cast);
  tellStep('Sam is booked out and rejects.');
  await cast.seller.operate(id, 'reject');
  await tellWallets(cast);
}
