import { ProtocolFault } from './protocol-fault.ts';

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One answer, also within a stream. */
export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** The id of whatever came, as far as there is a usable one. */
export function rpcIdOf(body: unknown): RpcId {
  const id: unknown = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

/** Reads a request of one of these methods. Throws invalid_request, unknown_method or invalid_params, in that order. */
export function readRpc(body: unknown, methods: ReadonlySet<string>): RpcRequest {
  const { jsonrpc, id, method, params } = isObject(body) ? body : {};
  if (jsonrpc !== '2.0') throw new ProtocolFault('invalid_request', 'Send one JSON-RPC 2.0 request, not a batch.');
  if (id !== undefined && id !== null && rpcIdOf(body) === null)
    throw new ProtocolFault('invalid_request', 'The id must be a string or an integer.');
  if (typeof method !== 'string' || method === '')
    throw new ProtocolFault('invalid_request', 'The method must be a string.');
  if (!methods.has(method)) throw new ProtocolFault('unknown_method', `No such method: ${method.slice(0, 100)}`);
  if (params !== undefined && !isObject(params)) throw new ProtocolFault('invalid_params', 'params must be an object.');
  return { id: rpcIdOf(body), method, params: params ?? {} };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
