import createClient from 'openapi-fetch';
import { MarketplaceError, NoAnswerError } from './error.ts';
import type { Answer, Call } from './operation.ts';
import { errorCodes } from './generated/error-code.ts';
import type { paths } from './generated/path.ts';

export type Headers = Readonly<Record<string, string>>;

/** One try: a success, or an error and whether another try may end better. */
export type Outcome =
  | { readonly answer: Omit<Answer<unknown>, 'attempts'> }
  | { readonly error: MarketplaceError | NoAnswerError; readonly isPassing: boolean };

/** Sends one request once. Rejects only for what was wrong before it was sent, and when its caller has given up. */
export type Transport = (call: Call, headers: Headers, timeoutMs: number) => Promise<Outcome>;

/** Opens a stream. Rejects with a MarketplaceError, or with what broke the connection. */
export type OpenStream = (call: Call, headers: Headers, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/** What this one way of sending gives for every operation; which operation has which is settled by then. */
type Request = (
  method: Call['method'],
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** What a seller did not answer is as final as any refusal, and who polls too fast must know it. */
const finalCodes: ReadonlySet<number> = new Set([
  errorCodes.slow_down,
  errorCodes.callback_failed,
  errorCodes.callback_timeout,
]);

/** Both ways of sending to one service. Nothing is remembered between two requests. */
export function openTransport(
  baseUrl: string,
  fetchImpl: typeof globalThis.fetch,
): { send: Transport; open: OpenStream } {
  // Followed to another place a redirect would take the key along; no answer of the service is one.
  const client = createClient<paths>({ baseUrl, redirect: 'error', credentials: 'omit' });
  const request = client.request as unknown as Request;
  const send: Transport = async (call, headers, timeoutMs) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(call.signal ? [call.signal] : [])]);
    let isSent = false;
    const fetch = async (sent: globalThis.Request) => {
      isSent = true;
      return await fetchImpl(sent);
    };
    try {
      const { data, error, response } = await request(call.method, call.pathTemplate, {
        ...inputOf(call, headers),
        signal,
        fetch,
      });
      return outcomeOf(call, response, data ?? error, headers);
    } catch (error) {
      if (!isSent || call.signal?.aborted === true) throw call.signal?.reason ?? error;
      const reason = `no answer (${causeOf(error)})`;
      return { error: new NoAnswerError(nameOf(call), reason, keyOf(headers), error), isPassing: true };
    }
  };
  const open: OpenStream = async (call, headers, signal) => {
    const init = { ...inputOf(call, headers), signal, fetch: fetchImpl, parseAs: 'stream' };
    const { data, error, response } = await request(call.method, call.pathTemplate, init);
    if (data instanceof ReadableStream) return data as ReadableStream<Uint8Array>;
    const outcome = outcomeOf(call, response, error, headers);
    throw 'error' in outcome ? outcome.error : new Error(`${nameOf(call)}: no stream`);
  };
  return { send, open };
}

/** How the call is named in what people read. */
export function nameOf({ method, pathTemplate }: Call): string {
  return `${method.toUpperCase()} ${pathTemplate}`;
}

function inputOf({ path = {}, query = {}, body }: Call, headers: Headers): object {
  for (const [name, value] of Object.entries(path)) {
    // As a part of a path these would name another one.
    if (['', '.', '..'].includes(String(value))) throw new TypeError(`${name} must not be "${String(value)}"`);
  }
  return { params: { path, query }, headers, ...(body === undefined ? {} : { body }) };
}

function outcomeOf(call: Call, response: Response, body: unknown, headers: Headers): Outcome {
  const { status: httpStatus } = response;
  const requestId = response.headers.get('x-request-id');
  const idempotencyKey = keyOf(headers);
  if (!isEnvelope(body)) {
    const reason = `answered ${httpStatus} without an envelope`;
    const isPassing = httpStatus >= 500 || httpStatus === 429 || httpStatus === 408;
    return { error: new NoAnswerError(nameOf(call), reason, idempotencyKey, undefined), isPassing };
  }
  const { code, message, data } = body;
  if (code === 0) {
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { answer: { data, httpStatus, requestId, replayed } };
  }
  const retryAfterMs = retryAfterOf(response);
  const isAgent = 'x-api-key' in headers;
  const refusal = { code, message, data: data as MarketplaceError['data'], httpStatus, requestId, isAgent };
  const isPassing =
    code === errorCodes.idempotency_key_in_use || ((httpStatus >= 500 || httpStatus === 429) && !finalCodes.has(code));
  return { error: new MarketplaceError(nameOf(call), { ...refusal, retryAfterMs, idempotencyKey }), isPassing };
}

function isEnvelope(body: unknown): body is { code: number; message: string; data: unknown } {
  if (body === null || typeof body !== 'object' || !('code' in body) || !('message' in body)) return false;
  return Number.isInteger(body.code) && typeof body.message === 'string' && 'data' in body;
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

function keyOf(headers: Headers): string | null {
  return headers['idempotency-key'] ?? null;
}

/** What a failed fetch is about stands in its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
