import type { Person } from '../harness.ts';

/** A body that POST /api/v1/capabilities accepts. */
export const offer = {
  title: 'Company register lookup',
  description: 'Answers who owns a company, from public registers.',
  category: 'data',
  capability_type: 'api',
  pricing_model: 'per_hour',
  price_ut: '12.5',
  tags: ['company', 'register'],
};

/** Registers a capability and answers its record. */
export async function register(owner: Person, changes: Record<string, unknown> = {}) {
  const reply = await owner.call('POST', '/api/v1/capabilities', { ...offer, ...changes });
  if (reply.status !== 201) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.data as Record<string, unknown> & { readonly id: string };
}
