import { LockMode, raw, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type {
  CapabilityRecord,
  CapabilityTerms,
  InvocableCapability,
  OfferedCapability,
} from '../capability/capability.ts';
import { formatUt, ut } from '../ut.ts';
import { Capability, type CapabilityRow } from './capability.entity.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

/** What a list of capabilities may be narrowed by. */
export interface CapabilityFilters {
  readonly category?: CapabilityTerms['category'] | undefined;
  readonly capability_type?: CapabilityTerms['capability_type'] | undefined;
  readonly pricing_model?: CapabilityTerms['pricing_model'] | undefined;
  readonly delivery_mode?: CapabilityTerms['delivery_mode'] | undefined;
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly min_price_ut?: string | undefined;
  readonly max_price_ut?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly available?: boolean | undefined;
}

/** `id` breaks every tie, so that pages neither repeat nor skip. Ids are no clock: some derive from a key. */
const orders = {
  newest: { created_at: 'desc', id: 'desc' },
  price_asc: { price_ut: 'asc', id: 'desc' },
  price_desc: { price_ut: 'desc', id: 'desc' },
  quality: { quality_score: 'desc', id: 'desc' },
  sold: { total_sold: 'desc', id: 'desc' },
} as const satisfies Record<string, QueryOrderMap<CapabilityRow>>;

export type CapabilitySort = keyof typeof orders;
export const capabilitySorts = [
  'newest',
  'price_asc',
  'price_desc',
  'quality',
  'sold',
] as const satisfies readonly CapabilitySort[];

const offered = prepare(
  'offered-capability',
  `select id, agent_id, title, pricing_model, price_ut::text, auto_accept_min_ut::text, available
     from capability where id = ? and deleted_at is null`,
);
const invocable = prepare(
  'invocable-capability',
  `select c.id, c.agent_id, c.title, c.pricing_model, c.price_ut::text, c.auto_accept_min_ut::text, c.available,
       c.callback_url, c.callback_timeout_sec,
       exists (select 1 from callback_secret s where s.capability_id = c.id and s.expires_at is null) as has_secret,
       coalesce((select a.balance from account a where a.owner_id = ? and a.kind = 'available'), 0)::text as balance_ut,
       w.reached, w.wait_sec, exists (select 1 from transaction t where t.id = ?) as is_known
     from (select) as one left join capability c on c.id = ? and c.deleted_at is null
       left join lateral invocation_wait(c, ?, 0) w on c.id is not null`,
);

/** Writes a new capability at once. */
export async function insertCapability(
  em: Em,
  id: string,
  ownerId: string,
  terms: CapabilityTerms,
  at: Date,
): Promise<CapabilityRecord> {
  const row = { ...terms, tags: [...terms.tags], id, agent_id: ownerId, created_at: at, updated_at: at };
  const fresh = { ...row, quality_score: '0', total_sold: 0, available: true, deleted_at: null };
  await em.insert(Capability, fresh);
  return toCapabilityRecord(fresh, ownerId);
}

/** True where this id was ever given, also to a capability that was deleted since. */
export async function capabilityExists(em: Em, id: string): Promise<boolean> {
  return (await em.count(Capability, { id })) > 0;
}

/** One that is not deleted. */
export async function findCapability(em: Em, id: string): Promise<CapabilityRow | null> {
  return await em.findOne(Capability, { id, deleted_at: null });
}

/** The same, locked until the SQL transaction ends: rules hold on the whole row, not on one request's part of it. */
export async function lockCapability(em: Em, id: string): Promise<CapabilityRow | null> {
  return await em.findOne(Capability, { id, deleted_at: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** One page of those that are not deleted, and how many there are. */
export async function listCapabilities(
  em: Em,
  filters: CapabilityFilters,
  sort: CapabilitySort,
  { page, page_size }: { readonly page: number; readonly page_size: number },
): Promise<[CapabilityRow[], number]> {
  const options = { orderBy: orders[sort], limit: page_size, offset: (page - 1) * page_size };
  return await em.findAndCount(Capability, whereOf(filters), options);
}

/** How many capabilities are for sale in each category that has any. One query. */
export async function countOnSale(em: Em): Promise<Map<string, number>> {
  const rows = await em.execute<{ category: string; count: string }[]>(
    'select category, count(*) as count from capability where deleted_at is null and available group by category',
  );
  return new Map(rows.map(({ category, count }) => [category, Number(count)]));
}

/** What a purchase needs, in one round trip; null when deleted or unknown. */
export async function findOffered(em: Em, id: string): Promise<OfferedCapability | null> {
  const [row] = await run<OfferedCapability>(em, offered, [id]);
  if (row === undefined) return null;
  return { ...row, price_ut: canonical(row.price_ut), auto_accept_min_ut: canonicalOrNull(row.auto_accept_min_ut) };
}

/**
 * What an invocation needs, in one round trip: the capability, null when deleted or unknown, and whether there is a
 * transaction with the invocation's id already.
 */
export async function findInvocable(
  em: Em,
  id: string,
  { buyerId, transactionId, at }: { readonly buyerId: string; readonly transactionId: string; readonly at: Date },
): Promise<{ capability: InvocableCapability | null; isKnown: boolean }> {
  const [row] = await run<InvocableCapability & { readonly is_known: boolean }>(em, invocable, [
    buyerId,
    transactionId,
    id,
    at,
  ]);
  if (row === undefined) throw new Error('a query without condition answered nothing');
  const { is_known: isKnown, ...capability } = row;
  // The one row is there also where no capability was found.
  if ((capability.id as string | null) === null) return { capability: null, isKnown };
  const amounts = {
    price_ut: canonical(capability.price_ut),
    auto_accept_min_ut: canonicalOrNull(capability.auto_accept_min_ut),
    balance_ut: canonical(capability.balance_ut),
  };
  return { capability: { ...capability, ...amounts }, isKnown };
}

/** The row as the wire shows it to this reader. */
export function toCapabilityRecord(row: Omit<CapabilityRow, 'deleted_at'>, readerId: string): CapabilityRecord {
  return {
    id: row.id,
    agent_id: row.agent_id,
    title: row.title,
    description: row.description,
    category: row.category,
    tags: row.tags,
    capability_type: row.capability_type,
    delivery_mode: row.delivery_mode,
    pricing_model: row.pricing_model,
    price_ut: canonical(row.price_ut),
    auto_accept_min_ut: canonicalOrNull(row.auto_accept_min_ut ?? null),
    daily_limit: row.daily_limit ?? null,
    rate_limit_per_min: row.rate_limit_per_min ?? null,
    callback_url: row.agent_id === readerId ? (row.callback_url ?? null) : null,
    callback_timeout_sec: row.callback_timeout_sec,
    quality_score: formatUt(ut(row.quality_score)),
    total_sold: row.total_sold,
    available: row.available,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function whereOf({ q, tag, min_price_ut, max_price_ut, ...exact }: CapabilityFilters): FilterQuery<CapabilityRow> {
  const given = Object.entries(exact).filter(([, value]) => value !== undefined);
  const price = {
    ...(min_price_ut === undefined ? {} : { $gte: min_price_ut }),
    ...(max_price_ut === undefined ? {} : { $lte: max_price_ut }),
  };
  return {
    ...Object.fromEntries(given),
    ...(tag === undefined ? {} : { tags: { $contains: [tag] } }),
    ...(Object.keys(price).length === 0 ? {} : { price_ut: price }),
    // The expression is that of the index `capability_search`, word for word.
    ...(q === undefined
      ? {}
      : { [raw(`to_tsvector('simple', title || ' ' || description) @@ websearch_to_tsquery('simple', ?)`, [q])]: [] }),
    deleted_at: null,
  };
}

function canonical(decimal: string): string {
  return formatUt(ut(decimal));
}

function canonicalOrNull(decimal: string | null): string | null {
  return decimal === null ? null : canonical(decimal);
}
