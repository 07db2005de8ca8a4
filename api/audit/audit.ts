import type { Caller } from '../../domain/caller.ts';
import type {
  AuditAction,
  AuditCredential,
  AuditData,
  AuditEntry,
  AuditTarget,
  RequestTrace,
} from '../../domain/audit/audit-entry.ts';
import { insertAuditEntry } from '../../domain/store/audit-entry.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import { storableAddress } from '../address.ts';
import type { Context } from '../deps.ts';

/** What the trail knows of a request. */
export type AuditContext = Pick<Context<Caller | null>, 'em' | 'caller' | 'address' | 'requestId' | 'now'>;

/** What was done. The caller's identity is added, unless the request proved another than its credentials. */
export interface Audited {
  readonly action: AuditAction;
  readonly target?: AuditTarget;
  readonly data?: AuditData;
  /** For a route without a caller: whom the operation found to be acting. */
  readonly actorUserId?: string;
  readonly credential?: Extract<AuditCredential, 'device_code'>;
}

/**
 * Writes to the trail. `em` is the SQL transaction of the change, so that both commit or neither; for a refusal, and for
 * what changed elsewhere, it is the request's own.
 */
export async function audit(ctx: AuditContext, done: Audited, em: Em = ctx.em): Promise<void> {
  await insertAuditEntry(em, entryOf(ctx, done));
}

function entryOf({ caller, address, requestId, now }: AuditContext, done: Audited): AuditEntry {
  return {
    at: now(),
    action: done.action,
    actorUserId: done.actorUserId ?? caller?.userId ?? null,
    credential: done.credential ?? credentialOf(caller),
    apiKeyId: caller?.apiKeyId ?? null,
    address: storableAddress(address),
    requestId,
    target: done.target ?? null,
    data: done.data ?? {},
  };
}

/** What goes with an operation on a transaction into the SQL that records it. */
export function traceOf({
  caller,
  address,
  requestId,
}: Pick<AuditContext, 'caller' | 'address' | 'requestId'>): RequestTrace {
  return {
    credential: credentialOf(caller),
    api_key_id: caller?.apiKeyId ?? null,
    address: storableAddress(address),
    request_id: requestId,
  };
}

function credentialOf(caller: Caller | null): AuditCredential {
  if (caller === null) return 'none';
  return caller.apiKeyId === null ? 'bearer' : 'api_key';
}

/** The id of a record that a route answers. */
export function idOf(answer: unknown): string {
  return (answer as { readonly id: string }).id;
}
