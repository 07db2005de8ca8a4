import { randomUUID } from 'node:crypto';
import { purchase, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellFacts, tellNote, tellStep } from '../narrator.ts';

/** Buy, freeze, accept, deliver, confirm; with a refusal and a repeated request on the way. */
export async function playPurchase(cast: Cast): Promise<void> {
  const { buyer, seller, consulting } = cast;
  openScene('a purchase that goes well');
  const { id } = await purchase(cast, consulting, 2);
  await tellWallets(cast);

  tellStep('Bea tries to confirm before anything was delivered. The service refuses, and says what she may do.');
  const refusal = await buyer.expectRefusal('/api/v1/transactions/{tx_id}/confirm', { path: { tx_id: id } });
  tellFacts({ data: refusal.data });

  tellStep('Sam accepts.');
  const key = randomUUID();
  await seller.operate(id, 'accept', undefined, key);
  tellStep('Sam’s client lost that answer and sends the request again, with the same Idempotency-Key.');
  await seller.operate(id, 'accept', undefined, key);
  tellNote('The stored answer came back; nothing happened twice.');

  tellStep('Sam delivers.');
  await seller.operate(id, 'deliver', { result_payload: { minutes: 'https://sam.example/minutes.pdf', hours: 2 } });
  tellStep('Bea confirms. The price goes to Sam.');
  await buyer.operate(id, 'confirm');
  await tellWallets(cast);
}
