import { errorTable, type ErrorName } from '../../domain/errors.ts';
import { toMarketplaceError } from '../error-handler.ts';
import type { RpcError } from './json-rpc.ts';
import { faultTable, ProtocolFault, type FaultName } from './protocol-fault.ts';
import type { Generation } from '../../domain/a2a/task-state.ts';

/** JSON-RPC's own code for what an implementation adds: the protocols take -32001 to -32099 for themselves. */
const ownCode = -32_000;

/** Where the protocols' own reasons are defined. */
const domain = 'a2a-protocol.org';

/** Refusals that mean the same as one of the protocols' own. All others are told by their name in `data`. */
const faultOf: Partial<Record<ErrorName, FaultName>> = {
  validation_failed: 'invalid_params',
  idempotency_key_required: 'invalid_params',
  idempotency_key_reused: 'invalid_params',
  malformed_request: 'parse',
  unsupported_media_type: 'content_type',
  payload_too_large: 'invalid_request',
  not_found: 'invalid_params',
  method_not_allowed: 'invalid_request',
  invalid_state: 'unsupported_operation',
  internal_error: 'internal',
};

/** Only v0.1 has codes for these. */
const v0Codes: Partial<Record<ErrorName, number>> = {
  unauthenticated: -32_007,
  token_expired: -32_007,
  invalid_api_key: -32_007,
  mixed_credentials: -32_007,
  forbidden: -32_008,
  user_not_granted: -32_008,
  not_a_party: -32_008,
  invalid_state: -32_009,
  rate_limited: -32_010,
  daily_limit_reached: -32_010,
  unavailable: -32_011,
};

/**
 * What was thrown as the error object of a generation. `data` tells the marketplace's own code and name, and what a client
 * needs to go on: an object before 1.0, a list with a google.rpc.ErrorInfo in 1.0.
 */
export function rpcErrorOf(thrown: unknown, generation: Generation): RpcError {
  if (thrown instanceof ProtocolFault) {
    const { code, reason } = faultTable[thrown.fault];
    return { code, message: thrown.message, ...dataOf(generation, { reason, domain }, thrown.data) };
  }
  const error = toMarketplaceError(thrown);
  const fault = faultOf[error.errorName];
  const code = fault === undefined ? ownCode : faultTable[fault].code;
  const own = { code: errorTable[error.errorName].code, error: error.errorName, ...error.data };
  return {
    code: generation === '0.1' ? (v0Codes[error.errorName] ?? code) : code,
    message: error.message,
    ...dataOf(generation, reasonOf(error.errorName), own),
  };
}

interface Reason {
  readonly reason: string;
  readonly domain: string;
}

function reasonOf(name: ErrorName): Reason {
  const fault = faultOf[name];
  return fault === undefined
    ? { reason: name.toUpperCase(), domain: 'marketplace' }
    : { reason: faultTable[fault].reason, domain };
}

function dataOf(generation: Generation, reason: Reason, data: Readonly<Record<string, unknown>> | null) {
  if (generation !== '1.0') return data === null ? {} : { data };
  const texts = Object.entries(data ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...reason };
  return { data: [texts.length === 0 ? info : { ...info, metadata: Object.fromEntries(texts) }] };
}

/** ErrorInfo has room for texts only. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
