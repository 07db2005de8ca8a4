import { Caller } from './caller.ts';
import type { Credentials } from './credential.ts';
import { follow, type FollowOptions, type Source, type StreamEvent } from './event-stream.ts';
import type {
  Answer,
  Call,
  CallOptions,
  DataOf,
  InitArgument,
  InitOf,
  ItemOf,
  Method,
  PagedPath,
  PathOf,
} from './operation.ts';
import { itemsOf } from './page.ts';
import type { RetryNotice, RetryPolicy } from './retry.ts';
import type { components } from './generated/component.ts';

export { MarketplaceError, NoAnswerError, type ErrorCode, type ErrorName } from './error.ts';
export { errorCodes } from './generated/error-code.ts';
export type { Answer, CallOptions, Credentials, FollowOptions, RetryNotice, RetryPolicy, StreamEvent };

/** The named schemas of the description: `Schemas['Transaction']`. */
export type Schemas = components['schemas'];

const defaultTimeoutMs = 45_000;
const defaultRetry: RetryPolicy = { forMs: 60_000, attemptsMax: 10 };
const terminalStatuses: ReadonlySet<unknown> = new Set<Schemas['TransactionStatus']>([
  'settled',
  'cancelled_by_buyer',
  'rejected_by_seller',
  'failed',
]);

export interface ClientOptions {
  /** Where the service is: `https://marketplace.example` */
  readonly baseUrl: string;
  /** None for what needs none, such as a registration. */
  readonly credentials?: Credentials | undefined;
  /** How long one try may take, unless a call says otherwise; 45 s. */
  readonly timeoutMs?: number | undefined;
  /** For how long and how often a call is tried: 60 s and 10 times, unless told otherwise. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A request that the description does not have, such as administration. Its answer is as unknown as it is. */
export interface UnlistedInit extends CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly body?: unknown;
}

export interface FeedOptions extends FollowOptions {
  /** Where to begin without `lastEventId`, and which events. Left out: with what happens from now on, all. */
  readonly query?: Omit<NonNullable<InitOf<'get', '/api/v1/events'>['query']>, 'limit'> | undefined;
}

/**
 * The service for one caller. Calls answer the data of the envelope and reject with a MarketplaceError, or a NoAnswerError
 * where none came. A write that has idempotency carries an Idempotency-Key, and is tried again with the same.
 */
export interface MarketplaceClient {
  get<P extends PathOf<'get'>>(path: P, ...init: InitArgument<'get', P>): Promise<DataOf<'get', P>>;
  post<P extends PathOf<'post'>>(path: P, ...init: InitArgument<'post', P>): Promise<DataOf<'post', P>>;
  put<P extends PathOf<'put'>>(path: P, ...init: InitArgument<'put', P>): Promise<DataOf<'put', P>>;
  delete<P extends PathOf<'delete'>>(path: P, ...init: InitArgument<'delete', P>): Promise<DataOf<'delete', P>>;
  /** The same with what the headers tell: HTTP status, request id, whether the answer was a stored one. */
  send<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: InitArgument<M, P>
  ): Promise<Answer<DataOf<M, P>>>;
  /** What the description leaves out; `path` is sent as it is. */
  sendUnlisted(method: Method, path: string, init?: UnlistedInit): Promise<Answer<unknown>>;
  /** Every item of a list, page after page; `query.page` is where to begin. */
  items<P extends PagedPath>(path: P, ...init: InitArgument<'get', P>): AsyncGenerator<ItemOf<P>>;
  /** The events of a transaction, each once and in order, over as many connections as it takes, to its end. */
  transactionEvents(
    transactionId: string,
    options?: FollowOptions,
  ): AsyncGenerator<StreamEvent<Schemas['TransactionEvent']>>;
  /** Everything that happens to the caller, each event once and in order; it has no end. */
  events(options?: FeedOptions): AsyncGenerator<StreamEvent<Schemas['Event']>>;
}

/** Makes the client of one caller. Throws where `baseUrl` is no http(s) address. */
export function marketplaceClient(options: ClientOptions): MarketplaceClient {
  const { credentials, timeoutMs = defaultTimeoutMs, onRetry, fetch = globalThis.fetch } = options;
  const baseUrl = originOf(options.baseUrl);
  const retry = { ...defaultRetry, ...options.retry };
  const caller = new Caller({ baseUrl, credentials, timeoutMs, retry, onRetry, fetch });
  // The types say of each operation what it takes and answers; from here on all are sent alike.
  const call = (method: Method) => async (pathTemplate: string, init?: object) =>
    (await caller.call({ ...init, method, pathTemplate })).data;
  const client = {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    delete: call('delete'),
    send: (method: Method, pathTemplate: string, init?: object) => caller.call({ ...init, method, pathTemplate }),
    sendUnlisted: (method: Method, pathTemplate: string, init?: object) =>
      caller.call({ ...init, method, pathTemplate }),
    items: (pathTemplate: string, init: Partial<Call> = {}) => {
      const readPage = async (page: number) =>
        await call('get')(pathTemplate, { ...init, query: { ...init.query, page } });
      return itemsOf(readPage as Parameters<typeof itemsOf>[0], Number(init.query?.['page'] ?? 1));
    },
    transactionEvents: (transactionId: string, given: FollowOptions = {}) =>
      follow(transactionSource(caller, transactionId, given.signal), given, retry, onRetry),
    events: ({ query, ...given }: FeedOptions = {}) => follow(feedSource(caller, query), given, retry, onRetry),
  };
  return client as unknown as MarketplaceClient;
}

function feedSource(caller: Caller, query: FeedOptions['query']): Source<Schemas['Event']> {
  const call: Call = { method: 'get', pathTemplate: '/api/v1/events', query };
  return {
    name: 'GET /api/v1/events',
    open: (headers, closing) => caller.open(call, headers, closing),
    isLast: () => false,
    hasEnded: async () => false,
  };
}

function transactionSource(
  caller: Caller,
  tx_id: string,
  signal: AbortSignal | undefined,
): Source<Schemas['TransactionEvent']> {
  const path = { tx_id };
  const read: Call = { method: 'get', pathTemplate: '/api/v1/transactions/{tx_id}', path, signal };
  const stream: Call = { method: 'get', pathTemplate: '/api/v1/transactions/{tx_id}/events', path };
  return {
    name: `GET ${stream.pathTemplate}`,
    open: (headers, closing) => caller.open(stream, headers, closing),
    isLast: ({ data }) => terminalStatuses.has(data.status),
    hasEnded: async () => {
      const { data } = await caller.call(read);
      return terminalStatuses.has((data as Schemas['Transaction']).status);
    },
  };
}

function originOf(baseUrl: string): string {
  const { protocol, href } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`baseUrl must be http(s), not ${protocol}`);
  return href.replace(/\/+$/, '');
}
