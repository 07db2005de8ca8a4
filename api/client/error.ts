import { errorCodes } from './generated/error-code.ts';

/** A name of the table of errors. */
export type ErrorName = keyof typeof errorCodes;
/** A code of the table of errors; what a program branches on. */
export type ErrorCode = (typeof errorCodes)[ErrorName];

/** What came with an answer that was no success. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly httpStatus: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly idempotencyKey: string | null;
  readonly isAgent: boolean;
}

/** The service has answered, and not with a success. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  /** Typed as the codes that this version of the client knows; a newer service may have more. */
  readonly code: ErrorCode;
  /** Null for a code that this version of the client does not know. */
  readonly errorName: ErrorName | null;
  /** What is needed to go on; differs by code. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly httpStatus: number;
  /** Quote it to support. */
  readonly requestId: string | null;
  /** How long the service asks to wait; null where it asks for nothing. */
  readonly retryAfterMs: number | null;
  /** The key that the write was sent with: the same write with the same key is safe to send again. Null: it had none. */
  readonly idempotencyKey: string | null;

  constructor(call: string, refusal: Refusal) {
    super(`${call}: ${refusal.httpStatus}, code ${refusal.code}: ${refusal.message}`);
    this.code = refusal.code as ErrorCode;
    this.errorName = nameOf(refusal);
    this.data = refusal.data;
    this.httpStatus = refusal.httpStatus;
    this.requestId = refusal.requestId;
    this.retryAfterMs = refusal.retryAfterMs;
    this.idempotencyKey = refusal.idempotencyKey;
  }
}

/** No answer that could be understood: the connection was lost, or took too long, or something else answered. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether the write was carried out is not known; with the same key it is safe to send again. Null: it had none. */
  readonly idempotencyKey: string | null;

  constructor(call: string, reason: string, idempotencyKey: string | null, cause: unknown) {
    super(`${call}: ${reason}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** One code says that the caller is of the wrong kind, and has a name for either: what it is, tells which is meant. */
function nameOf({ code, isAgent }: Refusal): ErrorName | null {
  const names = Object.keys(errorCodes) as ErrorName[];
  const notMeant = isAgent ? 'agent_only' : 'human_only';
  return names.find((name) => errorCodes[name] === code && name !== notMeant) ?? null;
}
