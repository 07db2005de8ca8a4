import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import type { z } from 'zod';
import type { AuditAction } from '../domain/audit/audit-entry.ts';
import { isAdmin, type Caller, type OperationClass } from '../domain/caller.ts';
import { isErrorName, MarketplaceError, type ErrorName } from '../domain/errors.ts';
import { derivedId } from '../domain/identity/derived-id.ts';
import { audit, type Audited } from './audit/audit.ts';
import type { Context, Deps, IdempotencyClaim } from './deps.ts';
import { envelopeOf, errorEnvelopeOf, success, type Signals } from './envelope.ts';
import { readClaim, runPlainWrite, runWorkflowWrite, type Answer } from './plugins/idempotency.ts';
import { errorTable } from '../domain/errors.ts';
import { pageOrStream, wantsStream, type StreamLine } from './stream/page-or-stream.ts';

/** Who may come in at all; every route must say. What they may then do is the operation's to decide. */
export type Access = 'open' | 'caller' | 'human' | 'agent' | 'admin' | 'support';

/**
 * How a route writes: not at all; as one SQL transaction around the handler; through a workflow that records by itself;
 * or `unkeyed`: sign-in and the like, which have no caller to scope a key to.
 */
export type Write = 'none' | 'plain' | 'workflow' | 'unkeyed';

/**
 * What a key must be allowed for this route. A GET that agents may call reads, unless it says otherwise; anything else
 * that they may call has to say, or does not compile.
 */
type Classified<A extends Access> = A extends 'caller' | 'agent'
  ? | { readonly method: 'GET'; readonly operation?: OperationClass }
    | { readonly method: 'POST' | 'PUT' | 'DELETE'; readonly operation: OperationClass }
  : { readonly operation?: never };

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type CallerOf<A extends Access> = A extends 'open' ? null : Caller;

interface Input<B extends z.ZodType | undefined, Q extends z.ZodType | undefined, P extends z.ZodType | undefined> {
  readonly body: Parsed<B>;
  readonly query: Parsed<Q>;
  readonly params: Parsed<P>;
}

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
  /** Of the refusals those that come with the HTTP status of success: what their data look like. */
  readonly signals?: Signals;
  /** Left out of the public description. */
  readonly hidden?: boolean;
  readonly rateLimit?: { readonly max: number; readonly timeWindow: string };
  /**
   * What the audit trail keeps of a request that did what it asked for: with the change where the write is plain, else
   * before the answer leaves. Where an operation has other ways in as well, it calls `audit` itself.
   */
  readonly audit?: {
    readonly action: AuditAction;
    readonly detail: (input: Input<B, Q, P>, answer: unknown) => Pick<Audited, 'target' | 'data'>;
  };
  readonly handler: (ctx: Context<CallerOf<A>>, input: Input<B, Q, P>) => Promise<unknown>;
  /** Answers `Accept: text/event-stream` in place of the handler; `event` is the shape of each `data`. */
  readonly stream?: {
    readonly event: z.ZodType;
    readonly open: (ctx: Context<CallerOf<A>>, input: Input<B, Q, P>, line: StreamLine) => Promise<void>;
  };
}

export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Registers resources on the app: `add({...})` per route, each a schema and one call. */
export type AddRoute = <
  A extends Access,
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
>(
  spec: RouteSpec<A, B, Q, P> & Classified<A>,
) => void;

/** The one way from a request to an operation: access, context, idempotency, envelope. */
export function routeAdder(app: FastifyInstance, deps: Deps, authenticate: Authenticate): AddRoute {
  return (spec) => {
    const httpStatus = spec.httpStatus ?? 200;
    const operation = spec.operation ?? 'read';
    app.route({
      method: spec.method,
      url: spec.url,
      schema: {
        operationId: spec.operationId,
        summary: spec.summary,
        ...descriptionOf(spec, operation),
        tags: [spec.tag],
        hide: spec.hidden ?? false,
        security: spec.access === 'open' ? [] : securityOf(spec.access),
        ...(spec.body === undefined ? {} : { body: spec.body }),
        ...(spec.query === undefined ? {} : { querystring: spec.query }),
        ...(spec.params === undefined ? {} : { params: spec.params }),
        response: {
          ...refusalsOf(spec),
          [httpStatus]:
            spec.stream === undefined
              ? envelopeOf(spec.data, spec.signals)
              : pageOrStream(spec.data, spec.stream.event),
        },
      },
      config: {
        access: spec.access,
        write: spec.write,
        ...(spec.rateLimit === undefined ? {} : { rateLimit: spec.rateLimit }),
      },
      preValidation: async (request) => {
        request.caller = await admit(spec.access, operation, authenticate, request);
      },
      handler: async (request, reply) => {
        const caller = request.caller as CallerOf<typeof spec.access>;
        const claim = routeClaim(spec.write, request, caller);
        const context = (em: Context['em']) => makeContext(deps, request, caller, claim, em);
        // The type provider has parsed these by the schemas above.
        const input = { body: request.body, query: request.query, params: request.params } as Parameters<
          typeof spec.handler
        >[1];
        const run = async (em: Context['em']) => {
          const ctx = context(em);
          const answer = await spec.handler(ctx, input);
          if (spec.audit) await audit(ctx, { action: spec.audit.action, ...spec.audit.detail(input, answer) });
          return answer;
        };
        const em = deps.orm.em.fork();
        if (spec.stream !== undefined && wantsStream(request)) {
          const confirm = () => admit(spec.access, operation, authenticate, request);
          return await spec.stream.open(context(em), input, { request, reply, confirm });
        }
        if (spec.write === 'plain') {
          return send(reply, await runPlainWrite(em, claim, httpStatus, run), deps);
        }
        const work = () => run(em);
        if (spec.write === 'workflow') return send(reply, await runWorkflowWrite(em, claim, httpStatus, work), deps);
        return send(reply, { httpStatus, data: await work(), replayed: false }, deps);
      },
    });
  };
}

/** Lets a caller in, or throws: unauthenticated, agent_only, human_only, forbidden. */
export async function admit(
  access: Access,
  operation: OperationClass,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (access === 'open') return null;
  const caller = checkAccess(access, await authenticate(request));
  checkOperation(caller, operation);
  return caller;
}

/** The rule of who may come in, for every entrance; throws as `admit` does. */
export function checkAccess(access: Exclude<Access, 'open'>, caller: Caller | null): Caller {
  if (caller === null) throw new MarketplaceError('unauthenticated');
  if (access === 'agent' && caller.callerType !== 'agent') throw new MarketplaceError('agent_only');
  if (access !== 'agent' && access !== 'caller' && caller.callerType !== 'human')
    throw new MarketplaceError('human_only');
  if (access === 'admin' && !isAdmin(caller)) throw new MarketplaceError('forbidden');
  if (access === 'support' && !isAdmin(caller) && !caller.roles.includes('support'))
    throw new MarketplaceError('forbidden');
  return caller;
}

/** Throws `forbidden` where the caller's key lacks the class; a route of many operations asks for each by itself. */
export function checkOperation({ operations }: Pick<Caller, 'operations'>, operation: OperationClass): void {
  if (operations === undefined || operations.includes(operation)) return;
  const text = `This API key may not ${operation}: its operations are ${operations.join(', ')}.`;
  throw new MarketplaceError('forbidden', { operation, operations }, { text });
}

function descriptionOf({ access, description }: { access: Access; description?: string }, operation: OperationClass) {
  const needed = access === 'caller' || access === 'agent' ? [`API keys need the operation \`${operation}\`.`] : [];
  const parts = [...(description === undefined ? [] : [description]), ...needed];
  return parts.length === 0 ? {} : { description: parts.join('\n\n') };
}

function routeClaim(write: Write, request: FastifyRequest, caller: Caller | null): IdempotencyClaim | null {
  return caller === null || write === 'none' || write === 'unkeyed' ? null : readClaim(request, caller);
}

/** What an operation works with: one for each request, and for each of several operations of one request. */
export function makeContext<C extends Caller | null>(
  deps: Deps,
  request: FastifyRequest,
  caller: C,
  idempotency: IdempotencyClaim | null,
  em: Context['em'],
): Context<C> {
  const { workflows, eventFeed, secrets, endedSessions, settings, now } = deps;
  return {
    em,
    caller,
    workflows,
    eventFeed,
    secrets,
    endedSessions,
    settings,
    now,
    log: request.log,
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    idempotency,
    newId: (kind) => (idempotency === null ? v7() : derivedId(kind, idempotency.userId, idempotency.key)),
  };
}

function send(reply: FastifyReply, answer: Answer, deps: Deps): FastifyReply {
  if (answer.replayed) reply.header('idempotent-replayed', 'true');
  return reply.code(answer.httpStatus).send(success(dataOf(answer), deps.now()));
}

/** The data of an answer. A refusal that was stored is thrown again. */
export function dataOf({ httpStatus, data, replayed }: Answer): unknown {
  if (replayed && httpStatus >= 400) throw storedRefusal(data);
  return data ?? null;
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

type AnySpec = RouteSpec<Access, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>;

type Refusing = Pick<AnySpec, 'access' | 'write' | 'errors' | 'body' | 'query' | 'params'>;

/** The refusals of a route for its description, by HTTP status: its own, and those that are added to every such route. */
export function refusalsOf(spec: Refusing): Record<string, z.ZodType> {
  const byStatus = Map.groupBy(allErrors(spec), (name): number => errorTable[name].httpStatus);
  return Object.fromEntries([...byStatus].map(([status, group]) => [String(status), errorEnvelopeOf(group)] as const));
}

function allErrors(spec: Refusing): ErrorName[] {
  const errors: ErrorName[] = [...spec.errors, 'rate_limited', 'internal_error', 'unavailable'];
  if (spec.access !== 'open') errors.push('unauthenticated', 'token_expired', 'mixed_credentials');
  if (spec.access === 'caller' || spec.access === 'agent')
    errors.push('invalid_api_key', 'user_not_granted', 'forbidden');
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

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    access?: Access;
    write?: Write;
  }
}
