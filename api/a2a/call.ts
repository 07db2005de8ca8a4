import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import type { IdempotencyClaim, Context, Deps } from '../deps.ts';
import { claimOf } from '../plugins/idempotency.ts';
import { makeContext } from '../route.ts';
import type { Generation } from '../../domain/a2a/task-state.ts';

/** One request of an agent protocol, past the door. */
export interface A2aCall {
  readonly deps: Deps;
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly generation: Generation;
  /** Aborts when the client has hung up. */
  readonly gone: AbortSignal;
}

/** A context for one operation; each of several has its own key. */
export function contextOf({ deps, request, caller }: A2aCall, claim: IdempotencyClaim | null = null): Context {
  return makeContext(deps, request, caller, claim, deps.orm.em.fork());
}

/**
 * The claim of a write: the key of the header, else of the message, else what tells a retry in this generation. What is
 * asked for counts, not its JSON-RPC id, which a retry may change. `chosen` is false where the client named no key.
 */
export function claimFor(
  { request, caller }: A2aCall,
  target: string,
  asked: Readonly<Record<string, unknown>>,
  { given, fallback }: { readonly given: string | null; readonly fallback: string | null },
): { readonly claim: IdempotencyClaim | null; readonly chosen: boolean } {
  const hasHeader = request.headers['idempotency-key'] !== undefined;
  const key = given ?? (hasHeader ? null : fallback);
  const claim = claimOf(request, caller, `a2a ${target}`, { asked, ...(key === null ? {} : { idempotency_key: key }) });
  return { claim, chosen: hasHeader || given !== null };
}
