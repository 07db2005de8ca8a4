import type { Schemas } from '../../../api/client/client.ts';
import { transactionWorkflowId } from '../../../workflows/messages.ts';
import { enrolAgent } from '../agent.ts';
import { publishReport, tellWallets } from '../cast.ts';
import { openScene, tellFacts, tellNote, tellStep, tellTable } from '../narrator.ts';
import { Person } from '../person.ts';
import type { Service } from '../service.ts';
import type { Target } from '../target.ts';
import { openA2aV0 } from '../way/a2a-v0.ts';
import { openA2aV03 } from '../way/a2a-v03.ts';
import { openA2aV1 } from '../way/a2a-v1.ts';
import { openMcp } from '../way/mcp.ts';
import { openRest } from '../way/rest.ts';
import type { AgentKey, Way } from '../way/way.ts';
import { playReckoning } from './reckoning.ts';

const startingUt = '100.00';
const priceUt = '6.00';

/** One purchase: by which way, and what REST shows of it. */
interface Trade {
  readonly way: Way;
  readonly transaction: Schemas['Transaction'];
  readonly events: readonly string[];
}

/**
 * Agents buy the same capability by each protocol that the service speaks. Answers whether the books balance; rejects where
 * one of the purchases is not like the others.
 */
export async function playProtocols(service: Service, target: Target): Promise<boolean> {
  openScene('one thing for sale, five ways to buy it');
  tellStep('Sam wants to sell. He registers, signs in, and publishes something priced by the day.');
  const seller = await Person.register(service, 'Sam');
  const report = await publishReport(seller, priceUt);
  tellStep('Bea has agents who buy for her. The administrator credits her, and lets a platform act for her.');
  const buyer = await Person.register(service, 'Bea');
  const admin = await Person.signIn(service, 'admin', target.admin.email, target.admin.password);
  await admin.credit(buyer.userId, startingUt);
  const agent = await enrolAgent(service, admin, buyer);

  const trades: Trade[] = [];
  for (const open of waysOf(service, agent)) {
    const way = await open();
    try {
      trades.push(await trade(way, report.id, { buyer, seller }));
    } finally {
      await way.close();
    }
  }
  compare(trades, target);
  await tellWallets({ buyer, seller });
  return await playReckoning({ admin, buyer, target });
}

function waysOf(service: Service, agent: Person): readonly (() => Promise<Way>)[] {
  const { baseUrl } = service;
  const key = agent.credentials as AgentKey;
  return [
    async () => openRest(agent.market),
    () => openA2aV0(baseUrl, key),
    () => openA2aV03(baseUrl, key),
    () => openA2aV1(baseUrl, key),
    () => openMcp(baseUrl, key),
  ];
}

async function trade(
  way: Way,
  capabilityId: string,
  { buyer, seller }: Readonly<Record<'buyer' | 'seller', Person>>,
): Promise<Trade> {
  openScene(`${way.name}, spoken by ${way.client}`);
  tellStep('The agent buys, and freezes the price.');
  const bought = await way.buy(capabilityId);
  tellFacts({ transaction: bought.transactionId });
  tellStep('Sam accepts and delivers, over REST; he does not know how it was bought.');
  await seller.operate(bought.transactionId, 'accept');
  await seller.operate(bought.transactionId, 'deliver', { result_payload: { report: `for ${way.name}` } });
  tellStep('The agent confirms. The price goes to Sam.');
  const { transactionId } = await way.confirm(bought);
  if (transactionId !== bought.transactionId) throw new Error(`${way.name} confirmed another transaction.`);

  const events: string[] = [];
  const signal = AbortSignal.timeout(60_000);
  for await (const { type } of buyer.market.transactionEvents(transactionId, { signal })) events.push(type);
  return { way, transaction: await buyer.transaction(transactionId), events };
}

/** Throws unless all are settled transactions of one type and price, with the same events. */
function compare(trades: readonly Trade[], target: Target): void {
  openScene('the same kind of transaction');
  tellStep('Whatever was spoken, each is one transaction, and one workflow.');
  const head = ['Way in', 'Transaction', 'Workflow', 'type', 'status', 'price_ut'];
  const rows = trades.map(({ way, transaction: { id, transaction_type, status, price_ut } }) => [
    way.name,
    id,
    transactionWorkflowId(id),
    transaction_type,
    status,
    price_ut,
  ]);
  tellTable(head, rows);
  const kinds = new Set(
    trades.map(({ transaction, events }) =>
      JSON.stringify([transaction.transaction_type, transaction.origin, transaction.price_ut, ...events]),
    ),
  );
  const unsettled = trades.filter(({ transaction }) => transaction.status !== 'settled');
  if (kinds.size !== 1 || unsettled.length > 0) {
    throw new Error(`The transactions should be alike and settled: ${[...kinds].join(' ≠ ')}`);
  }
  tellFacts({ 'events of each': trades[0]?.events.join(', ').replaceAll('transaction.', '') });
  const { temporalUiUrl: ui, temporalNamespace } = target;
  if (ui === null) return;
  const base = `${ui}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows`;
  const links = trades.map(({ way, transaction }) => {
    return `${way.name}: ${base}/${encodeURIComponent(transactionWorkflowId(transaction.id))}`;
  });
  tellNote(`\n${links.join('\n')}`);
}
