import { transactionWorkflowId } from '../../../workflows/messages.ts';
import type { Cast } from '../cast.ts';
import { openScene, tellCall, tellFacts, tellNote, tellStep, tellTable } from '../narrator.ts';
import { ledgerCheck } from '../wire.ts';

/** The ledger's own check, and what became of each transaction. Answers whether the books balance. */
export async function playReckoning({
  admin,
  buyer,
  target,
}: Pick<Cast, 'admin' | 'buyer' | 'target'>): Promise<boolean> {
  openScene('the books');
  tellStep('The administrator has the whole ledger checked, against itself and against the transactions.');
  const checkPath = '/api/v1/admin/ledger/check';
  const { sound, problems } = ledgerCheck.parse((await admin.market.sendUnlisted('get', checkPath)).data);
  tellCall(`GET ${checkPath}`, sound ? 'sound' : 'NOT SOUND');
  tellFacts({ problems });

  tellStep('Every transaction of this run.');
  const { items } = await buyer.market.get('/api/v1/transactions', { query: { page_size: 100 } });
  tellCall('GET /api/v1/transactions?page_size=100', `${items.length} transactions`);
  const rows = items.map((one) => [one.id, one.price_ut, one.status, one.status_reason ?? '']);
  tellTable(['Transaction', 'price_ut', 'status', 'reason'], rows.toReversed());

  const ui = target.temporalUiUrl;
  const namespace = encodeURIComponent(target.temporalNamespace);
  const [latest] = items;
  tellNote(
    ui === null || latest === undefined
      ? '\nTheir workflows: see the address of the Temporal UI that npm start prints.'
      : `\nTheir workflows: ${ui}/namespaces/${namespace}/workflows\n` +
          `The last one:    ${ui}/namespaces/${namespace}/workflows/${encodeURIComponent(transactionWorkflowId(latest.id))}`,
  );
  return sound;
}
