import type { Schemas } from '../../api/client/client.ts';
import { openScene, tellFacts, tellStep, tellTable } from './narrator.ts';
import { Person } from './person.ts';
import type { Service } from './service.ts';
import type { Target } from './target.ts';

const startingUt = '100.00';

/** Who takes part, and what is for sale. */
export interface Cast {
  readonly service: Service;
  readonly target: Target;
  readonly admin: Person;
  readonly buyer: Person;
  readonly seller: Person;
  readonly consulting: Schemas['Capability'];
  readonly report: Schemas['Capability'];
}

/** Registers a buyer and a seller, gives the buyer money, puts two capabilities on sale. */
export async function gatherCast(service: Service, target: Target): Promise<Cast> {
  openScene('a buyer, a seller, and something to buy');
  tellStep('Bea wants to buy. She registers and signs in.');
  const buyer = await Person.register(service, 'Bea');
  tellStep('Sam wants to sell. He registers and signs in.');
  const seller = await Person.register(service, 'Sam');
  tellStep('The administrator signs in and credits Bea: the only way in which UT comes into being.');
  const admin = await Person.signIn(service, 'admin', target.admin.email, target.admin.password);
  const { available_ut } = await admin.credit(buyer.userId, startingUt);
  tellFacts({ available_ut });
  tellStep('Sam publishes two capabilities: one priced by the hour, one by the day.');
  const consulting = await publish(seller, {
    title: 'Data consulting',
    description: 'An hour with somebody who knows company registers.',
    category: 'consulting',
    capability_type: 'service',
    pricing_model: 'per_hour',
    price_ut: '6.25',
  });
  const report = await publishReport(seller, '20.00');
  const cast = { service, target, admin, buyer, seller, consulting, report };
  await tellWallets(cast);
  return cast;
}

/** Puts a capability on sale. */
export async function publish(
  seller: Person,
  body: Schemas['CreateCapabilityRequest'],
): Promise<Schemas['WrittenCapability']> {
  const capability = await seller.write('/api/v1/capabilities', { body });
  tellFacts({ [capability.title]: `${capability.price_ut} UT ${capability.pricing_model}, id ${capability.id}` });
  return capability;
}

/** Puts on sale what most scenes are about, priced by the day. */
export async function publishReport(seller: Person, price_ut: string): Promise<Schemas['WrittenCapability']> {
  return await publish(seller, {
    title: 'Company report',
    description: 'A report on one company, made within a day.',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_day',
    price_ut,
  });
}

/** Buys and freezes: the start of every scene. */
export async function purchase(
  cast: Cast,
  capability: Schemas['Capability'],
  bookedHours?: number,
): Promise<Schemas['Transaction']> {
  const { buyer } = cast;
  tellStep(`Bea buys “${capability.title}”${bookedHours === undefined ? '' : ` for ${bookedHours} hours`}.`);
  const body = { capability_id: capability.id, ...(bookedHours === undefined ? {} : { booked_hours: bookedHours }) };
  const created = await buyer.write('/api/v1/transactions', { body });
  tellFacts({ id: created.id, status: created.status, price_ut: created.price_ut });
  tellStep('Bea freezes the price: it leaves what she can spend and waits for the outcome.');
  return await buyer.operate(created.id, 'freeze');
}

/** The wallets of both, as the service tells them. */
export async function tellWallets({ buyer, seller }: Pick<Cast, 'buyer' | 'seller'>): Promise<void> {
  console.log();
  const rows = await Promise.all(
    [buyer, seller].map(async (person) => {
      const { available_ut, frozen_ut, total_ut } = await person.wallet();
      return [`${person.name} (${person === buyer ? 'buyer' : 'seller'})`, available_ut, frozen_ut, total_ut];
    }),
  );
  tellTable(['Wallets', 'available', 'frozen', 'total'], rows);
}
