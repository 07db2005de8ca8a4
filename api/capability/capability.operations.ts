import type { z } from 'zod';
import { checkTerms, type CapabilityRecord } from '../../domain/capability/capability.ts';
import type { AuditTarget } from '../../domain/audit/audit-entry.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import type { CapabilityRow } from '../../domain/store/capability.entity.ts';
import {
  capabilityExists,
  findCapability,
  insertCapability,
  lockCapability,
  toCapabilityRecord,
} from '../../domain/store/capability.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import { giveFirstSecret, shownOnce, type WithSecret } from './callback-secret.ts';
import type { batchItem, updateCapabilityBody } from './capability.schemas.ts';

export type NewCapability = z.output<typeof batchItem>;
export type CapabilityChanges = Omit<z.output<typeof updateCapabilityBody>, 'idempotency_key'>;

/** Registers a capability of the caller's. The answer has the signing secret where there is an address to call. */
export async function createCapability(ctx: Context, given: NewCapability): Promise<WithSecret<CapabilityRecord>> {
  return await registerAs(ctx, ctx.em, ctx.newId('capability'), given);
}

/** Registers under a given id; `em` may be inside a savepoint of the request's SQL transaction. */
export async function registerAs(
  ctx: Context,
  em: Em,
  id: string,
  given: NewCapability,
): Promise<WithSecret<CapabilityRecord>> {
  checkTerms(given, ctx.settings.callbackAllowPrivate);
  // The stored answer of a key is forgotten after its time; the id that was derived from the key is not.
  if (ctx.idempotency !== null && (await capabilityExists(em, id))) {
    const text = 'An earlier request with this Idempotency-Key registered data.capability_id.';
    throw new MarketplaceError('conflict', { capability_id: id }, { text });
  }
  const record = await insertCapability(em, id, ctx.caller.userId, given, ctx.now());
  await audit(ctx, { action: 'capability.create', target: targetOf(id), data: { price_ut: record.price_ut } }, em);
  return shownOnce(record, await giveFirstSecret(ctx, em, id, given.callback_url));
}

/** Changes what was given and leaves the rest; the rules hold on the result. The first address makes the secret. */
export async function updateCapability(
  ctx: Context,
  id: string,
  changes: CapabilityChanges,
): Promise<WithSecret<CapabilityRecord>> {
  const row = await lockOwn(ctx, id);
  Object.assign(row, changes, { updated_at: ctx.now() });
  checkTerms({ ...row, callback_url: row.callback_url ?? null }, ctx.settings.callbackAllowPrivate);
  const secret = await giveFirstSecret(ctx, ctx.em, id, changes.callback_url ?? null);
  await audit(ctx, { action: 'capability.update', target: targetOf(id), data: { fields: Object.keys(changes) } });
  return shownOnce(toCapabilityRecord(row, ctx.caller.userId), secret);
}

/** Takes a capability off the market for good; transactions that refer to it keep their reference. */
export async function deleteCapability(ctx: Context, id: string): Promise<{ id: string; deleted: true }> {
  const row = await lockOwn(ctx, id);
  const now = ctx.now();
  Object.assign(row, { deleted_at: now, updated_at: now, available: false });
  await audit(ctx, { action: 'capability.delete', target: targetOf(id) });
  return { id, deleted: true };
}

function targetOf(id: string): AuditTarget {
  return { type: 'capability', id };
}

/** A capability of the caller's, locked until the SQL transaction ends. Errors: not_found, forbidden. */
export async function lockOwn(ctx: Context, id: string): Promise<CapabilityRow> {
  return ownOf(ctx, await lockCapability(ctx.em, id));
}

/** The same, only read. */
export async function findOwn(ctx: Context, id: string): Promise<CapabilityRow> {
  return ownOf(ctx, await findCapability(ctx.em, id));
}

function ownOf(ctx: Context, row: CapabilityRow | null): CapabilityRow {
  if (row === null) throw new MarketplaceError('not_found');
  if (row.agent_id !== ctx.caller.userId) {
    throw new MarketplaceError('forbidden', null, { text: 'Only the owner of a capability may do this.' });
  }
  return row;
}
