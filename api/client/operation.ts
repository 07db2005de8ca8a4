import type { paths } from './generated/path.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

type OperationOf<M extends Method, P extends keyof paths> = paths[P] extends { [K in M]: infer O extends object }
  ? O
  : never;

type JsonOf<A> = A extends { content: { 'application/json': infer J } } ? J : never;

type SuccessOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201)]> : never;

type DataIn<E> = E extends { code: 0; data: infer D } ? D : never;

/** What the envelope of a success holds. */
export type DataOf<M extends Method, P extends keyof paths> = DataIn<SuccessOf<OperationOf<M, P>>>;

/** The paths that answer JSON to a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [DataOf<M, P>] extends [never] ? never : P;
}[keyof paths];

/** The paths whose answer is a page of a list. */
export type PagedPath = {
  [P in PathOf<'get'>]: DataOf<'get', P> extends { items: readonly unknown[]; page: number; has_more: boolean }
    ? P
    : never;
}[PathOf<'get'>];

/** What such a list lists. */
export type ItemOf<P extends PagedPath> = DataOf<'get', P> extends { items: readonly (infer I)[] } ? I : never;

type PathInput<O> = O extends { parameters: { path: infer V } } ? { readonly path: V } : { readonly path?: never };

type QueryInput<O> = O extends { parameters: { query: infer V } }
  ? { readonly query: V }
  : O extends { parameters: { query?: infer V } }
    ? { readonly query?: V }
    : unknown;

type BodyInput<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { readonly body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { readonly body?: B }
    : { readonly body?: never };

/** How a request is sent, whatever it asks for. */
export interface CallOptions {
  /**
   * Names a write: the same key again is the same write. Left out it is the `idempotency_key` of the body, or made up. A
   * write without idempotency has none.
   */
  readonly idempotencyKey?: string | undefined;
  /** How long one try may take; an invocation may take as long as its seller. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call at once, also between two tries. */
  readonly signal?: AbortSignal | undefined;
  /** Says that a write without idempotency, such as a sign-in, may be sent again when its answer was lost. */
  readonly repeatable?: boolean | undefined;
}

/** Parameters, query and body of an operation, as the description has them, and how to send it. */
export type InitOf<M extends Method, P extends keyof paths> = PathInput<OperationOf<M, P>> &
  QueryInput<OperationOf<M, P>> &
  BodyInput<OperationOf<M, P>> &
  CallOptions;

/** The last argument of a call: may be left out where nothing in it is required. */
export type InitArgument<M extends Method, P extends keyof paths> =
  Partial<InitOf<M, P>> extends InitOf<M, P> ? [init?: InitOf<M, P>] : [init: InitOf<M, P>];

/** A request in the form that all operations share. */
export interface Call extends CallOptions {
  readonly method: Method;
  /** As the description has it, with parameters in braces. */
  readonly pathTemplate: string;
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** A success: the data, and what the headers tell of how it came about. */
export interface Answer<D> {
  readonly data: D;
  readonly httpStatus: number;
  /** Quote it to support. */
  readonly requestId: string | null;
  /** True where the service had stored this answer for an earlier try. */
  readonly replayed: boolean;
  /** How many tries it took. */
  readonly attempts: number;
}
