import { randomUUID } from 'node:crypto';
import { send } from './http.ts';

export interface Parties {
  readonly buyer: Record<string, string>;
  readonly seller: Record<string, string>;
  readonly capabilityId: string;
}

/** A buyer with money, a seller with a capability, as bearer headers. */
export async function makeParties(base: string, admin: { email: string; password: string }): Promise<Parties> {
  const adminToken = await signIn(base, admin);
  const buyer = await register(base);
  const seller = await register(base);
  await send('POST', `${base}/api/v1/admin/wallets/${buyer.id}/credit`, adminToken, {
    amount_ut: '1000000',
    reason: 'bench',
  });
  const capability = await send('POST', `${base}/api/v1/capabilities`, seller.token, {
    title: 'Bench',
    description: 'What the bench buys',
    category: 'data',
    capability_type: 'data',
    pricing_model: 'per_use',
    price_ut: '1.00',
    callback_url: 'https://seller.example/callback',
  });
  return { buyer: buyer.token, seller: seller.token, capabilityId: String(capability.data['id']) };
}

async function register(base: string): Promise<{ id: string; token: Record<string, string> }> {
  const who = { email: `${randomUUID()}@bench.example`, password: randomUUID() };
  const { data } = await send('POST', `${base}/api/v1/auth/register`, {}, { ...who, display_name: 'Bench' });
  return { id: String(data['id']), token: await signIn(base, who) };
}

async function signIn(base: string, who: { email: string; password: string }): Promise<Record<string, string>> {
  const { data } = await send('POST', `${base}/api/v1/auth/login`, {}, who);
  return { authorization: `Bearer ${String(data['access_token'])}` };
}
