import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { errorTable, invalidField, MarketplaceError } from '../../domain/errors.ts';
import {
  claimKey,
  claimKeyAlone,
  lockKey,
  releaseKey,
  renewKey,
  storeAnswer,
  type ClaimOutcome,
} from '../../domain/store/idempotency.store.ts';
import type { Em } from '../../domain/store/orm.ts';
import type { IdempotencyClaim } from '../deps.ts';
import { toMarketplaceError } from '../error-handler.ts';

/** An answer, and whether it was stored by an earlier request with the same key. */
export interface Answer {
  readonly httpStatus: number;
  /** The data of a success, or `{error, data, text}` of a stored refusal. */
  readonly data: unknown;
  readonly replayed: boolean;
}

/** A crashed API gives the key free after it; one that is still at work renews it in time. */
const lockSec = 20;
const renewEveryMs = 7_000;

/** What an earlier request with the key came to, found by other means than a stored answer. */
export class Replay {
  readonly data: unknown;
  constructor(data: unknown) {
    this.data = data;
  }
}

/** Reads and checks the key of a write. Agents must send one; header and body field must not differ. */
export function readClaim(request: FastifyRequest, caller: Caller): IdempotencyClaim | null {
  const path = request.url.split('?')[0] ?? '';
  return claimOf(request, caller, `${request.method} ${path}`, (request.body ?? {}) as Record<string, unknown>);
}

/** The same for a write that a request names by other means than its method and path: `target` says what is written. */
export function claimOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  caller: Caller,
  target: string,
  { idempotency_key: inBody, ...body }: Readonly<Record<string, unknown>>,
): IdempotencyClaim | null {
  const header = unquoted(headers['idempotency-key']);
  if (header !== null && typeof inBody === 'string' && header !== inBody) {
    throw invalidField('idempotency_key', 'differs from the header Idempotency-Key');
  }
  const key = header ?? (typeof inBody === 'string' ? inBody : null);
  if (key === null) {
    if (caller.callerType === 'agent') throw new MarketplaceError('idempotency_key_required');
    return null;
  }
  if (key.length === 0 || key.length > 255) throw invalidField('Idempotency-Key', 'must have 1 to 255 characters');
  const requestHash = createHash('sha256')
    .update(`${target} ${canonical(body)}`)
    .digest('hex');
  return { userId: caller.userId, key, requestHash };
}

/** The draft standard writes the key as a quoted string; the bare form is common. */
function unquoted(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = Array.isArray(header) ? header.join(',') : header;
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A write that is one SQL transaction: change and stored answer commit together. */
export async function runPlainWrite(
  em: Em,
  claim: IdempotencyClaim | null,
  httpStatus: number,
  work: (em: Em) => Promise<unknown>,
): Promise<Answer> {
  try {
    return await em.transactional(async (inner) => {
      const earlier = claim === null ? null : await earlierAnswer(inner, claim);
      if (earlier !== null) return earlier;
      const data = await work(inner);
      await inner.flush();
      if (claim !== null) await storeAnswer(inner, claim, httpStatus, data);
      return { httpStatus, data, replayed: false };
    });
  } catch (error) {
    await storeRefusal(em, claim, error);
    throw error;
  }
}

async function earlierAnswer(em: Em, claim: IdempotencyClaim): Promise<Answer | null> {
  if (!(await lockKey(em, claim))) throw inUse();
  return replayOf(await claimKey(em, claim, lockSec));
}

/** A write that a workflow carries out: the key is claimed first; the workflow's own SQL stores the answer. */
export async function runWorkflowWrite(
  em: Em,
  claim: IdempotencyClaim | null,
  httpStatus: number,
  work: () => Promise<unknown>,
): Promise<Answer> {
  const earlier = claim === null ? null : replayOf(await claimKeyAlone(em, claim, lockSec));
  if (earlier !== null) return earlier;
  // The lock runs out by the clock, so only the clock can tell when to renew it.
  const renewal = claim === null ? null : setInterval(() => void renew(em, claim), renewEveryMs);
  try {
    const done = await work();
    const replayed = done instanceof Replay;
    return { httpStatus, data: replayed ? done.data : done, replayed };
  } catch (error) {
    await storeRefusal(em, claim, error);
    throw error;
  } finally {
    if (renewal !== null) clearInterval(renewal);
  }
}

/** Where it fails, the lock may run out, and a retry finds the same workflow. */
async function renew(em: Em, claim: IdempotencyClaim): Promise<void> {
  await renewKey(em.fork(), claim, lockSec).catch(() => undefined);
}

function replayOf(claimed: ClaimOutcome): Answer | null {
  switch (claimed.outcome) {
    case 'claimed':
      return null;
    case 'running':
      throw inUse();
    case 'reused':
      throw new MarketplaceError('idempotency_key_reused');
    case 'done':
      return { httpStatus: claimed.http_status, data: claimed.body, replayed: true };
  }
}

function inUse(): MarketplaceError {
  return new MarketplaceError('idempotency_key_in_use', { retry_after_sec: 1 });
}

/** A refusal is an answer too. A 5xx or a limit is not: the same key may try again. */
async function storeRefusal(em: Em, claim: IdempotencyClaim | null, thrown: unknown): Promise<void> {
  if (claim === null) return;
  const error = toMarketplaceError(thrown);
  if (['idempotency_key_in_use', 'idempotency_key_reused'].includes(error.errorName)) return;
  const { httpStatus } = errorTable[error.errorName];
  const body = { error: error.errorName, data: error.data, text: error.message };
  const settle =
    httpStatus >= 500 || httpStatus === 429 ? releaseKey(em, claim) : storeAnswer(em, claim, httpStatus, body);
  // Where the database is down too, the lock of the claim runs out by itself.
  await settle.catch(() => undefined);
}
