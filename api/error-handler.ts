import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable, MarketplaceError, type ErrorData, type ErrorName } from '../domain/errors.ts';
import { isConnectionFailure } from '../domain/store/sql-error.ts';
import { failure } from './envelope.ts';
import type { RouteTable } from './route-table.ts';

/** Turns whatever was thrown into an envelope. What is not in the table becomes 5000, with its cause in the log only. */
export function registerErrorHandler(app: FastifyInstance, routes: RouteTable, now: () => Date): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await send(reply, request, toMarketplaceError(error), now());
  });
  app.setNotFoundHandler(async (request, reply) => {
    await send(reply, request, unmatched(routes, request, reply), now());
  });
}

/** Answers what fails before there is a route, such as an address that cannot be decoded; no hook has run by then. */
export function unroutableHandler(now: () => Date) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id);
    void send(reply, request, toMarketplaceError(error), now());
  };
}

/** What a gateway answers for somebody else: nothing of ours is broken, and the delivery is recorded. */
const faultsOfSellers: ReadonlySet<ErrorName> = new Set(['callback_failed', 'callback_timeout']);

/** Logs what is this service's own fault, with its cause. */
export function logFault({ log }: Pick<FastifyRequest, 'log'>, error: MarketplaceError): void {
  if (errorTable[error.errorName].httpStatus >= 500 && !faultsOfSellers.has(error.errorName))
    log.error({ err: error.cause ?? error }, error.errorName);
}

/** Says in the header when to come back, where the refusal knows it. */
export function tellRetryAfter(reply: FastifyReply, { data }: MarketplaceError): void {
  const retryAfterSec = data?.['retry_after_sec'];
  if (typeof retryAfterSec === 'number') reply.header('retry-after', String(retryAfterSec));
}

async function send(reply: FastifyReply, request: FastifyRequest, error: MarketplaceError, now: Date): Promise<void> {
  const { httpStatus } = errorTable[error.errorName];
  logFault(request, error);
  tellRetryAfter(reply, error);
  await reply
    .code(httpStatus)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failure(error.errorName, error.data, now, error.message));
}

/** Maps what Fastify, its plugins and the database driver throw to rows of the error table. */
export function toMarketplaceError(error: unknown): MarketplaceError {
  if (error instanceof MarketplaceError) return error;
  if (hasZodFastifySchemaValidationErrors(error))
    return new MarketplaceError('validation_failed', { errors: fields(error) });
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new MarketplaceError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new MarketplaceError('unsupported_media_type');
  // No id is as long as that.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new MarketplaceError('not_found');
  if (statusCode === 429) return new MarketplaceError('rate_limited', retryAfter(error));
  if (statusCode === 400) return new MarketplaceError('malformed_request', null, { cause: error });
  if (isConnectionFailure(error)) return new MarketplaceError('unavailable', { retry_after_sec: 2 }, { cause: error });
  return new MarketplaceError('internal_error', null, { cause: error });
}

function retryAfter(error: unknown): ErrorData {
  const given = (error as { retryAfterSec?: number }).retryAfterSec;
  return { retry_after_sec: given ?? 60 };
}

interface ZodIssueLike {
  readonly instancePath: string;
  readonly message?: string;
  readonly keyword?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

function fields(error: FastifyError): { path: string; message: string }[] {
  const issues = (error.validation ?? []) as unknown as readonly ZodIssueLike[];
  return issues.flatMap((issue) => {
    const path = issue.instancePath.split('/').filter(Boolean).join('.');
    const unknown = issue.keyword === 'unrecognized_keys' ? issue.params?.['keys'] : undefined;
    if (!Array.isArray(unknown)) return [{ path, message: issue.message ?? 'is invalid' }];
    const prefix = path === '' ? '' : `${path}.`;
    return unknown.map((key) => ({
      path: `${prefix}${String(key)}`,
      message: 'unknown field, or one that cannot be set',
    }));
  });
}

function unmatched(routes: RouteTable, request: FastifyRequest, reply: FastifyReply): MarketplaceError {
  const allowed = routes.methodsOf(request.url.split('?')[0] ?? '/');
  if (allowed.length === 0) return new MarketplaceError('not_found', null, { text: 'No such address. See /docs.' });
  reply.header('allow', allowed.join(', '));
  return new MarketplaceError('method_not_allowed', { allow: allowed });
}
