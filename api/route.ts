import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { isAdmin, type Caller } from '../domain/caller.ts';
import { isErrorName, MarketplaceError, type ErrorName } from '../domain/errors.ts';
import { derivedId } from '../domain/identity/derived-id.ts';
import type { Context, Deps, IdempotencyClaim } from './deps.ts';
import { envelopeOf, errorEnvelopeOf, success } from './envelope.ts';
import { readClaim, runPlainWrite, runWorkflowWrite, type Answer } from './plugins/idempotency.ts';
import { errorTable } from '../domain/errors.ts';

/** Who may come in at all; every route must say. What they may then do is the operation's to decide. */
export type Access = 'open' | 'caller' | 'human' | 'agent' | 'admin' | 'support';

/**
 * How a route writes: not at all; as one SQL transaction around the handler; through a workflow that records by itself;
 * or `unkeyed`: sign-in and the like, which have no caller to scope a key to.
 */
export type Write = 'none' | 'plain' | 'workflow' | 'unkeyed';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type CallerOf<A extends Access> = A extends 'open' ? null : Caller;

export interface RouteSpec<
  A extends Access,
  B extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  P extends z.ZodType | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: A;
  readonly write: Write;
  readonly body?: B;
  readonly query?: Q;
  readonly params?: P;
  readonly data: z.ZodType;
  readonly httpStatus?: 200 | 201;
  /** Refusals of the operation itself; those of access, parsing, idempotency and limits are added. */
  readonly errors: readonly ErrorName[];
  /** Left out of the public description. */
  readonly hidden?: boolean;
  readonly rateLimit?: { readonly max: number; readonly timeWindow: string };
  readonly handler: (
    ctx: Context<CallerOf<A>>,
    input: { readonly body: Parsed<B>; readonly query: Parsed<Q>; readonly params: Parsed<P> },
  ) => Promise<unknown>;
}

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Registers resources on the app: `add({...})` per route, each a schema and one call. */
export type AddRoute = <
  A extends Access,
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
>(
  spec: RouteSpec<A, B, Q, P>,
) => void;

/** The one way from a request to an operation: access, context, idempotency, envelope. */
export function routeAdder(app: FastifyInstance, deps: Deps, authenticate: Authenticate): AddRoute {
  return (spec) => {
    const httpStatus = spec.httpStatus ?? 200;
    app.route({
      method: spec.method,
      url: spec.url,
      schema: {
        operationId: spec.operationId,
        summary: spec.summary,
        ...(spec.description === undefined ? {} : { description: spec.description }),
        tags: [spec.tag],
        hide: spec.hidden ?? false,
        security: spec.access === 'open' ? [] : securityOf(spec.access),
        ...(spec.body === undefined ? {} : { body: spec.body }),
        ...(spec.query === undefined ? {} : { querystring: spec.query }),
        ...(spec.params === undefined ? {} : { params: spec.params }),
        response: responsesOf(httpStatus, spec.data, allErrors(spec)),
      },
      config: {
        access: spec.access,
        write: spec.write,
        ...(spec.rateLimit === undefined ? {} : { rateLimit: spec.rateLimit }),
      },
      preValidation: async (request) => {
        request.caller = await admit(spec.access, authenticate, request);
      },
      handler: async (request, reply) => {
        const caller = request.caller as CallerOf<typeof spec.access>;
        const claim = claimOf(spec.write, request, caller);
        const context = (em: Context['em']) => makeContext(deps, request, caller, claim, em);
        // The type provider has parsed these by the schemas above.
        const input = { body: request.body, query: request.query, params: request.params } as Parameters<
          typeof spec.handler
        >[1];
        const em = deps.orm.em.fork();
        if (spec.write === 'plain') {
          return send(
            reply,
            await runPlainWrite(em, claim, httpStatus, (inner) => spec.handler(context(inner), input)),
            deps,
          );
        }
        const work = () => spec.handler(context(em), input);
        if (spec.write === 'workflow') return send(reply, await runWorkflowWrite(em, claim, httpStatus, work), deps);
        return send(reply, { httpStatus, data: await work(), replayed: false }, deps);
      },
    });
  };
}

/** Lets a caller in, or throws: unauthenticated, agent_only, human_only, forbidden. */
export async function admit(
  access: Access,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (access === 'open') return null;
  const caller = await authenticate(request);
  if (caller === null) throw new MarketplaceError('unauthenticated');
  if (access === 'agent' && caller.callerType !== 'agent') throw new MarketplaceError('agent_only');
  if (access !== 'agent' && access !== 'caller' && caller.callerType !== 'human')
    throw new MarketplaceError('human_only');
  if (access === 'admin' && !isAdmin(caller)) throw new MarketplaceError('forbidden');
  if (access === 'support' && !isAdmin(caller) && !caller.roles.includes('support'))
    throw new MarketplaceError('forbidden');
  return caller;
}

function claimOf(write: Write, request: FastifyRequest, caller: Caller | null): IdempotencyClaim | null {
  return caller === null || write === 'none' || write === 'unkeyed' ? null : readClaim(request, caller);
}

function makeContext<C extends Caller | null>(
  deps: Deps,
  request: FastifyRequest,
  caller: C,
  idempotency: IdempotencyClaim | null,
  em: Context['em'],
): Context<C> {
  const { workflows, eventFeed, secrets, settings, now } = deps;
  return {
    em,
    caller,
    workflows,
    eventFeed,
    secrets,
    settings,
    now,
    log: request.log,
    requestId: request.id,
    idempotency,
    newId: (kind) => (idempotency === null ? v7() : derivedId(kind, idempotency.userId, idempotency.key)),
  };
}

function send(reply: FastifyReply, answer: Answer, deps: Deps): FastifyReply {
  if (answer.replayed) reply.header('idempotent-replayed', 'true');
  if (answer.replayed && answer.httpStatus >= 400) throw storedRefusal(answer.data);
  return reply.code(answer.httpStatus).send(success(answer.data ?? null, deps.now()));
}

function storedRefusal(stored: unknown): MarketplaceError {
  const { error, data, text } = stored as { error: string; data: Record<string, unknown> | null; text: string };
  return new MarketplaceError(isErrorName(error) ? error : 'internal_error', data, { text });
}

/** The security requirements of the description for an access. */
export function securityOf(access: Access): readonly Record<string, readonly string[]>[] {
  const agent = { ApiKey: [], PlatformUserId: [] };
  const human = { Bearer: [] };
  if (access === 'agent') return [agent];
  return access === 'caller' ? [agent, human] : [human];
}

function allErrors(
  spec: RouteSpec<Access, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>,
): ErrorName[] {
  const errors: ErrorName[] = [...spec.errors, 'rate_limited', 'internal_error', 'unavailable'];
  if (spec.access !== 'open') errors.push('unauthenticated', 'token_expired', 'mixed_credentials');
  if (spec.access === 'caller' || spec.access === 'agent') errors.push('invalid_api_key', 'user_not_granted');
  if (spec.access === 'agent') errors.push('agent_only');
  if (['human', 'admin', 'support'].includes(spec.access)) errors.push('human_only');
  if (spec.access === 'admin' || spec.access === 'support') errors.push('forbidden');
  if (spec.body ?? spec.query ?? spec.params) errors.push('validation_failed');
  if (spec.body) errors.push('malformed_request', 'payload_too_large', 'unsupported_media_type');
  if (spec.write === 'plain' || spec.write === 'workflow') {
    errors.push('idempotency_key_in_use', 'idempotency_key_reused');
    if (spec.access === 'caller' || spec.access === 'agent') errors.push('idempotency_key_required');
  }
  return [...new Set(errors)];
}

function responsesOf(httpStatus: number, data: z.ZodType, names: readonly ErrorName[]): Record<string, z.ZodType> {
  const byStatus = Map.groupBy(names, (name) => errorTable[name].httpStatus);
  const errors = [...byStatus].map(([status, group]) => [String(status), errorEnvelopeOf(group)] as const);
  return { ...Object.fromEntries(errors), [String(httpStatus)]: envelopeOf(data) };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    access?: Access;
    write?: Write;
  }
}
