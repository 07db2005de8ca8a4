import { setTimeout as delay } from 'node:timers/promises';
import { errorCodes, MarketplaceError, type Schemas } from '../../../api/client/client.ts';
import { publishReport, tellWallets } from '../cast.ts';
import { openScene, tellCall, tellFacts, tellNote, tellStep } from '../narrator.ts';
import { Person } from '../person.ts';
import { tellTries, type Service } from '../service.ts';
import type { Target } from '../target.ts';
import { devicePending } from '../wire.ts';

const startPath = '/api/v1/auth/device-auth';
const pollPath = `${startPath}/poll` as const;
const lookupPath = `${startPath}/lookup` as const;
const agentPlatformType = 'custom_mcp';
const priceUt = '20.00';
const creditUt = '25.00';

/**
 * An agent without a key asks a person for one (RFC 8628), and buys with it. Whoever opens the address approves; with
 * `playPerson` the demo does it itself, over HTTP.
 */
export async function playDevice(service: Service, target: Target, playPerson: boolean): Promise<void> {
  openScene('an agent asks a person for a key');
  tellStep('Sam wants to sell. He registers, signs in, and publishes something priced by the day.');
  const seller = await Person.register(service, 'Sam');
  const report = await publishReport(seller, priceUt);
  tellStep('An agent that has no key and no browser asks for a code to show.');
  const body = { agent_platform_type: agentPlatformType };
  await service.pause();
  const { data: session } = await tellTries(service.clientOf().send('post', startPath, { body, repeatable: true }));
  tellCall(`POST ${startPath}`, '200');
  const { user_code, verification_url, expires_in, interval } = session;
  tellFacts({ user_code, expires_in, interval });
  tellNote(`\nOpen   ${verification_url}\nsign in, compare the code   ${user_code}   and approve.\n`);
  const agent = await waitForKey(service, session, async () => {
    if (playPerson) await approve(service, user_code);
    else tellNote(`Waiting for somebody to approve, for up to ${expires_in} s …`);
  });
  await purchase(service, target, { agent, seller, report });
  await tellWallets({ buyer: agent, seller });
}

/** Polls as the service says, until somebody has decided. `onWaiting` runs once, after the first poll. */
async function waitForKey(
  service: Service,
  { device_code, interval }: Schemas['DeviceAuthorization'],
  onWaiting: () => Promise<void>,
): Promise<Person> {
  tellStep('The agent polls for the decision.');
  let intervalSec = interval;
  for (let polls = 1; ; polls += 1) {
    const answer = await poll(service, device_code);
    if ('api_key' in answer) {
      tellCall(`POST ${pollPath}`, `200, approved, at poll ${polls}`);
      const { api_key, user_id } = answer;
      tellFacts({ 'X-Api-Key': `${api_key.slice(0, 14)}…`, 'X-Platform-User-Id': user_id });
      return new Person(service, 'The agent', user_id, { apiKey: api_key, userId: user_id });
    }
    if (answer.interval > intervalSec) tellNote(`Too fast: from now on every ${answer.interval} s.`);
    intervalSec = answer.interval;
    if (polls === 1) {
      tellCall(`POST ${pollPath}`, `200, code ${errorCodes.authorization_pending}, pending`);
      await onWaiting();
    }
    // The interval is the service's to set, and only the clock tells when it has passed.
    await delay(intervalSec * 1_000);
  }
}

async function poll(service: Service, device_code: string) {
  try {
    // Approved, every poll answers the same key: one whose answer was lost is sent again.
    return await service.clientOf().post(pollPath, { body: { device_code }, repeatable: true });
  } catch (error) {
    const goesOn: readonly number[] = [errorCodes.authorization_pending, errorCodes.slow_down];
    if (error instanceof MarketplaceError && goesOn.includes(error.code)) return devicePending.parse(error.data);
    throw error;
  }
}

async function approve(service: Service, user_code: string): Promise<void> {
  tellStep('Ada opens the address. She registers, signs in, and looks which agent asks.');
  const person = await Person.register(service, 'Ada');
  const query = { user_code };
  const { agent_platform_type, status, address, user_agent } = await person.market.get(lookupPath, { query });
  tellCall(`GET ${lookupPath}?user_code=${user_code}`, '200');
  tellFacts({ agent_platform_type, status, address, user_agent });
  tellStep('It is the agent she has before her: she approves.');
  tellFacts(await person.write(`${startPath}/confirm`, { body: { user_code, approve: true } }));
  tellStep('The agent, which knows nothing of this, goes on polling.');
}

interface Trade {
  readonly agent: Person;
  readonly seller: Person;
  readonly report: Schemas['Capability'];
}

async function purchase(service: Service, target: Target, { agent, seller, report }: Trade): Promise<void> {
  tellStep(`The administrator credits the person ${creditUt} UT: the only way in which UT comes into being.`);
  const admin = await Person.signIn(service, 'admin', target.admin.email, target.admin.password);
  await admin.credit(agent.userId, creditUt);
  tellStep(`With its key the agent buys “${report.title}” in the name of the person, and freezes the price.`);
  const { id } = await agent.write('/api/v1/transactions', { body: { capability_id: report.id } });
  await agent.operate(id, 'freeze');
  tellStep('Sam accepts and delivers.');
  await seller.operate(id, 'accept');
  await seller.operate(id, 'deliver', { result_payload: { report: 'https://sam.example/report.pdf' } });
  tellStep('The agent confirms. The price goes to Sam.');
  await agent.operate(id, 'confirm');
}
