import { LockMode } from '@mikro-orm/core';
import type { OperationClass } from '../caller.ts';
import { actsFor, type ApiKeyUse, type PlatformKind } from '../identity/api-key.ts';
import { ApiKey, type ApiKeyRow } from './api-key.entity.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';

/** A key that came with a request. */
export interface FoundApiKey extends ApiKeyUse {
  readonly id: string;
}

interface Row {
  readonly id: string;
  readonly expires_at: string | Date | null;
  readonly revoked_at: string | Date | null;
  readonly operations: OperationClass[];
  readonly addresses: string[] | null;
  readonly user_id: string | null;
  readonly kind: PlatformKind;
  readonly granted: boolean;
}

/** Parsed and planned once a connection: three look-ups by index are then most of what a request pays for its key. */
const keyUse = prepare(
  'api-key-use',
  `select k.id, k.expires_at, k.revoked_at, k.operations, k.addresses::text[] as addresses, k.user_id, p.kind,
      g.user_id is not null as granted
    from api_key k join platform p on p.id = k.platform_id
    left join platform_grant g on g.platform_id = k.platform_id and g.user_id = ? and g.revoked_at is null
    where k.key_hash = ?`,
);

/**
 * The key with this hash, and whether it may act for this user, who has granted its platform. One round trip, made for
 * every request of an agent and never cached, so that a revoked key or grant stops at once on every node.
 */
export async function findApiKeyUse(em: Em, keyHash: Buffer, userId: string): Promise<FoundApiKey | null> {
  const [row] = await run<Row>(em, keyUse, [userId, keyHash]);
  if (row === undefined) return null;
  const { id, operations, addresses, user_id, kind, granted } = row;
  const mayAct = actsFor({ kind, userId: user_id }, userId);
  return {
    id,
    expires_at: dateOf(row.expires_at),
    revoked_at: dateOf(row.revoked_at),
    granted: granted && mayAct,
    operations,
    addresses,
  };
}

/** A key, locked until the SQL transaction ends: changes, rotations and revocations of it come one after the other. */
export async function lockApiKey(em: Em, id: string): Promise<ApiKeyRow | null> {
  return await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The key that replaced this one; null where none did, or the one that did was revoked. */
export async function findSuccessor(em: Em, id: string): Promise<ApiKeyRow | null> {
  return await em.findOne(ApiKey, { rotated_from: id, revoked_at: null });
}

/**
 * Notes when keys were used last, at most once a minute a key. A key that another process is writing at the same time is
 * left out: that one notes the same minute.
 */
export async function noteApiKeyUse(em: Em, lastUsed: ReadonlyMap<string, Date>): Promise<void> {
  const uses = JSON.stringify([...lastUsed].map(([id, at]) => ({ id, at })));
  await em.execute(
    `with due as (
       select k.id, u.at from api_key k join jsonb_to_recordset(?::jsonb) as u (id uuid, at timestamptz) on u.id = k.id
       where k.last_used_at is null or k.last_used_at <= u.at - interval '1 minute' for no key update of k skip locked)
     update api_key k set last_used_at = due.at from due where k.id = due.id`,
    [uses],
  );
}

function dateOf(value: string | Date | null): Date | null {
  return value === null ? null : new Date(value);
}
