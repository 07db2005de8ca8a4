import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorTable, type MarketplaceError } from '../../domain/errors.ts';
import { logFault, tellRetryAfter, toMarketplaceError } from '../error-handler.ts';

const parseError = -32_700;
const invalidRequest = -32_600;
const internalError = -32_603;
/** The first of the codes that JSON-RPC leaves to servers. */
const refused = -32_000;

/** Answers what is refused before MCP begins: the HTTP status of the error table, and a JSON-RPC error with its row. */
export async function refuse(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const error = toMarketplaceError(thrown);
  logFault(request, error);
  const { httpStatus, code } = errorTable[error.errorName];
  const { message } = error;
  tellRetryAfter(reply, error);
  if (httpStatus === 401) reply.header('www-authenticate', challenge(error));
  const data = { code, name: error.errorName, data: error.data };
  const body = { jsonrpc: '2.0', id: idOf(request.body), error: { code: rpcCodeOf(error), message, data } };
  await reply.code(httpStatus).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

function challenge({ errorName }: MarketplaceError): string {
  const realm = 'Bearer realm="marketplace"';
  return errorName === 'token_expired' ? `${realm}, error="invalid_token", error_description="expired"` : realm;
}

function rpcCodeOf(error: MarketplaceError): number {
  if (errorTable[error.errorName].httpStatus >= 500) return internalError;
  if (error.errorName !== 'malformed_request') return refused;
  return error.cause === undefined ? invalidRequest : parseError;
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
