import { randomUUID } from 'node:crypto';
import { send } from './http.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

export interface Parties {
  readonly buyer: Record<string, string>;
  readonly seller: Record<string, string>;
  readonly capabilityId: string;
}

/** A buyer with money, a seller with a capability, as bearer headers. */
export async function makeParties(base: string, admin: Account): Promise<Parties> {
  const adminToken = await signIn(base, admin);
  const buyer = await register(base);
  const seller = await register(base);
  await credit(base, adminToken, buyer.id);
  const capability = await publish(base, seller.token, { callback_url: 'https://seller.example/callback' });
  return { buyer: buyer.token, seller: seller.token, capabilityId: capability.id };
}

/** A platform's key, which acts for nobody yet. */
export async function makeAgentKey(base: string, admin: Account): Promise<{ platformId: string; secret: string }> {
  const adminToken = await signIn(base, admin);
  const platforms = `${base}/api/v1/admin/platforms`;
  const platform = await send('POST', platforms, adminToken, { name: `Bench ${randomUUID()}` });
  const platformId = String(platform.data['id']);
  const key = await send('POST', `${platforms}/${platformId}/keys`, adminToken, { name: 'bench' });
  return { platformId, secret: String(key.data['api_key']) };
}

/** Agents with money, as API key headers. */
export async function makeAgents(base: string, admin: Account, count: number): Promise<Record<string, string>[]> {
  const adminToken = await signIn(base, admin);
  const { platformId, secret } = await makeAgentKey(base, admin);
  const agents = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await register(base);
    await send('POST', `${base}/api/v1/admin/platforms/${platformId}/grants`, adminToken, { user_id: id });
    await credit(base, adminToken, id);
    agents.push({ 'x-api-key': secret, 'x-platform-user-id': id });
  }
  return agents;
}

/** A capability on a host of the seller's server, which is told its secret. */
export async function makeCallable(base: string, seller: string, path: string, timeoutSec = 60): Promise<string> {
  const { token } = await register(base);
  const { id, secret } = await publish(base, token, {
    callback_url: `${seller}${path}`,
    callback_timeout_sec: timeoutSec,
  });
  await fetch(`${seller}/control/secret`, {
    method: 'POST',
    body: JSON.stringify({ capability_id: id, callback_secret: secret }),
  });
  return id;
}

async function credit(base: string, adminToken: Record<string, string>, userId: string): Promise<void> {
  const body = { amount_ut: '1000000', reason: 'bench' };
  await send('POST', `${base}/api/v1/admin/wallets/${userId}/credit`, adminToken, body);
}

async function publish(base: string, token: Record<string, string>, changes: Record<string, unknown>) {
  const { data } = await send('POST', `${base}/api/v1/capabilities`, token, {
    title: 'Bench',
    description: 'What the bench buys',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_use',
    price_ut: '1.00',
    ...changes,
  });
  return { id: String(data['id']), secret: String(data['callback_secret']) };
}

async function register(base: string): Promise<{ id: string; token: Record<string, string> }> {
  const who = { email: `${randomUUID()}@bench.example`, password: randomUUID() };
  const { data } = await send('POST', `${base}/api/v1/auth/register`, fromAnywhere(), {
    ...who,
    display_name: 'Bench',
  });
  return { id: String(data['id']), token: await signIn(base, who) };
}

async function signIn(base: string, who: Account): Promise<Record<string, string>> {
  const { data } = await send('POST', `${base}/api/v1/auth/login`, fromAnywhere(), who);
  return { authorization: `Bearer ${String(data['access_token'])}` };
}

/** Sign-in is limited by address. */
function fromAnywhere(): Record<string, string> {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  return { 'x-forwarded-for': `10.${a}.${b}.${c}` };
}
