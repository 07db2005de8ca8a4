import type { z } from 'zod';
import type { CapabilityRecord } from '../../domain/capability/capability.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { findCapability, listCapabilities, toCapabilityRecord } from '../../domain/store/capability.store.ts';
import type { Context } from '../deps.ts';
import { paged } from '../schemas.ts';
import type { capabilityQuery } from './capability.schemas.ts';

/** Any capability that is not deleted, also one that is not available. */
export async function readCapability(ctx: Context, id: string): Promise<CapabilityRecord> {
  const row = await findCapability(ctx.em, id);
  if (row === null) throw new MarketplaceError('not_found');
  return toCapabilityRecord(row, ctx.caller.userId);
}

/** One page of what everybody offers. */
export async function readCapabilities(ctx: Context, query: z.output<typeof capabilityQuery>) {
  const { page, page_size, sort, ...filters } = query;
  const [rows, total] = await listCapabilities(ctx.em, filters, sort, { page, page_size });
  const items = rows.map((row) => toCapabilityRecord(row, ctx.caller.userId));
  return paged(items, total, { page, page_size });
}
