import { errorCodes, MarketplaceError, type Schemas } from '../../../api/client/client.ts';
import { enrolAgent } from '../agent.ts';
import { publish, tellWallets, type Cast } from '../cast.ts';
import { openScene, tellCall, tellFacts, tellNote, tellStep } from '../narrator.ts';
import { factsOf, type Person } from '../person.ts';
import { startSellerServer, type SellerServer } from '../seller-server.ts';
import { makeShownOnce } from '../shown-once.ts';
import * as wire from '../wire.ts';

/** Long enough for a worker that is killed in the middle of the call, and short where the seller never answers well. */
const patientSec = 60;
const impatientSec = 5;
/** The service answers after the seller did, or after the time that the seller has. */
const invokeLimitMs = patientSec * 1_000 + 45_000;
const input = { company: 'ACME GmbH' };

/** An agent calls three capabilities: one answers, one is broken, one delivers later. */
export async function playInvocation(cast: Cast): Promise<void> {
  openScene('an agent calls what a seller serves');
  if (!isOnThisMachine(cast.service.baseUrl)) {
    tellNote(
      `Skipped: ${cast.service.baseUrl} is not this machine, so the service cannot call a seller that runs here.`,
    );
    return;
  }
  const server = await startSellerServer();
  try {
    await playCalls(cast, server);
  } finally {
    await server.stop();
  }
}

async function playCalls(cast: Cast, server: SellerServer): Promise<void> {
  const { service, admin, buyer, seller } = cast;
  tellStep(`Sam’s program listens at ${server.url}. He publishes three addresses of it, each priced by the call.`);
  const offers = await publishAll(seller, server);
  if (offers === null) return;
  tellStep('The administrator lets an agent act for Bea: a platform, its API key, and the right to act for her alone.');
  const agent = await enrolAgent(service, admin, buyer);
  await tellWallets(cast);
  await callWell(agent, offers.fast);
  await callBroken(cast, agent, offers.broken);
  await callForLater(cast, agent, offers.later);
  await tellWallets(cast);
}

/** Null where this service calls no private address. */
async function publishAll(seller: Person, server: SellerServer) {
  try {
    return {
      fast: await publishCalled(seller, server, '/fast', ['Company lookup', '0.50', patientSec]),
      broken: await publishCalled(seller, server, '/broken', ['Credit score', '1.00', impatientSec]),
      later: await publishCalled(seller, server, '/later', ['Company dossier', '2.50', patientSec]),
    };
  } catch (error) {
    if (!isAddressRefused(error)) throw error;
    tellNote(
      'Skipped: this service calls public addresses only, and Sam’s program has none. CALLBACK_ALLOW_PRIVATE=true allows it.',
    );
    return null;
  }
}

async function publishCalled(
  seller: Person,
  server: SellerServer,
  path: string,
  [title, price_ut, callback_timeout_sec]: readonly [string, string, number],
): Promise<Schemas['WrittenCapability']> {
  const { made, secret } = await makeShownOnce(
    () =>
      publish(seller, {
        title,
        description: `${title} for one company, by a program.`,
        category: 'data',
        capability_type: 'api',
        pricing_model: 'per_use',
        price_ut,
        callback_url: server.url + path,
        callback_timeout_sec,
      }),
    (capability) => capability.callback_secret ?? undefined,
    (id) => seller.deleteCapability(id),
  );
  await server.trust(made.id, secret);
  tellFacts({ callback_secret: `${secret.slice(0, 6)}…, shown once; his program now verifies each call with it` });
  return made;
}

async function callWell(agent: Person, { id, title }: Schemas['Capability']): Promise<void> {
  tellStep(`Bea’s agent calls “${title}”: the price is frozen, Sam’s program answers, the price goes to Sam.`);
  const answer = await agent.write(invokePath, invocationOf(id));
  if (answer.result === null) throw new Error(`“${title}” should have answered with a result.`);
  tellFacts(answer);
}

async function callBroken({ buyer }: Cast, agent: Person, { id, title }: Schemas['Capability']): Promise<void> {
  const before = await buyer.wallet();
  tellStep(
    `The agent calls “${title}”. Sam’s program answers 503, is tried again for ${impatientSec} s, and stays broken.`,
  );
  const refusal = await agent.expectRefusal(invokePath, invocationOf(id));
  if (refusal.code !== errorCodes.callback_failed && refusal.code !== errorCodes.callback_timeout) throw refusal;
  tellFacts({ data: refusal.data });

  const failed = await buyer.transaction(wire.callFailure.parse(refusal.data).transaction_id);
  tellCall(`GET /api/v1/transactions/${failed.id}`, failed.status);
  tellFacts(factsOf(failed));
  const after = await buyer.wallet();
  if (failed.status !== 'failed' || after.available_ut !== before.available_ut) {
    throw new Error(`Transaction ${failed.id} should have failed and given the money back; it is ${failed.status}.`);
  }
  tellNote(`The money is back: Bea can spend ${after.available_ut} UT, as before.`);
}

async function callForLater(
  { buyer, seller }: Cast,
  agent: Person,
  { id, title }: Schemas['Capability'],
): Promise<void> {
  tellStep(`The agent calls “${title}”. Sam’s program answers 202: it takes longer, and nothing is charged yet.`);
  const answer = await agent.write(invokePath, invocationOf(id));
  if (answer.result !== null) throw new Error(`“${title}” should have been put off.`);
  // Facts that are null are left out, and this one is the point.
  tellFacts({ ...answer, result: 'null' });
  tellStep('Sam delivers when it is ready.');
  await seller.operate(answer.transaction_id, 'deliver', {
    result_payload: { dossier: 'https://sam.example/dossier.pdf' },
  });
  tellStep('Bea confirms. The price goes to Sam.');
  const { status } = await buyer.operate(answer.transaction_id, 'confirm');
  if (status !== 'settled') throw new Error(`Transaction ${answer.transaction_id} should be settled; it is ${status}.`);
}

const invokePath = '/api/v1/capabilities/{cap_id}/invoke';

function invocationOf(cap_id: string) {
  return { path: { cap_id }, body: { input }, timeoutMs: invokeLimitMs };
}

function isOnThisMachine(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function isAddressRefused(error: unknown): boolean {
  if (!(error instanceof MarketplaceError) || error.code !== errorCodes.validation_failed) return false;
  const refused = wire.invalidField.safeParse(error.data);
  return refused.success && refused.data.errors.some(({ path }) => path === 'callback_url');
}
