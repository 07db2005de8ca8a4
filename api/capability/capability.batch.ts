import type { CapabilityRecord } from '../../domain/capability/capability.ts';
import { errorTable } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { Context } from '../deps.ts';
import { toMarketplaceError } from '../error-handler.ts';
import { parseBy } from '../parse.ts';
import type { WithSecret } from './callback-secret.ts';
import { registerAs } from './capability.operations.ts';
import { batchItem } from './capability.schemas.ts';

interface ItemResult {
  readonly index: number;
  readonly success: boolean;
  readonly data?: WithSecret<CapabilityRecord>;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

/** Registers each item by itself: one that is wrong fails alone. */
export async function createCapabilities(ctx: Context, items: readonly unknown[]) {
  const batchId = ctx.newId('capability_batch');
  const results: ItemResult[] = [];
  for (const [index, item] of items.entries()) {
    results.push(await registerItem(ctx, derivedId('capability', batchId, String(index)), index, item));
  }
  const succeeded = results.filter((result) => result.success).length;
  return { total: results.length, succeeded, failed: results.length - succeeded, results };
}

async function registerItem(ctx: Context, id: string, index: number, item: unknown): Promise<ItemResult> {
  try {
    const given = parseBy(batchItem, item);
    // A savepoint: what the database refuses of one item must not spoil the SQL transaction of all.
    const data = await ctx.em.transactional((em) => registerAs(ctx, em, id, given));
    return { index, success: true, data };
  } catch (thrown) {
    const error = toMarketplaceError(thrown);
    if (error.errorName === 'unavailable') throw thrown;
    if (error.errorName === 'internal_error') ctx.log.error({ err: thrown, index }, 'an item of a batch failed');
    const { code } = errorTable[error.errorName];
    return { index, success: false, error: { code, message: error.message, data: error.data } };
  }
}
