import { Credential, type Credentials } from './credential.ts';
import { MarketplaceError } from './error.ts';
import type { Answer, Call } from './operation.ts';
import { backoffMs, pause, unlessAborted, type RetryNotice, type RetryPolicy } from './retry.ts';
import type { components } from './generated/component.ts';
import { errorCodes } from './generated/error-code.ts';
import { unkeyedWrites } from './generated/unkeyed-write.ts';
import { nameOf, openTransport, type Headers, type OpenStream, type Transport } from './transport.ts';

export interface CallerSettings {
  readonly baseUrl: string;
  readonly credentials: Credentials | undefined;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** Sends for one caller: with credentials, again where that is safe and may help, a write always with the same key. */
export class Caller {
  readonly #settings: CallerSettings;
  readonly #credential: Credential;
  readonly #send: Transport;
  readonly #open: OpenStream;

  constructor(settings: CallerSettings) {
    const { send, open } = openTransport(settings.baseUrl, settings.fetch);
    this.#settings = settings;
    this.#send = send;
    this.#open = open;
    this.#credential = new Credential(settings.credentials, (token) => this.#refresh(token));
  }

  /** A success. Rejects with a MarketplaceError or a NoAnswerError, or with the reason of the call's signal. */
  async call(call: Call): Promise<Answer<unknown>> {
    return await this.#repeat(call, keyHeaderOf(call), () => this.#credential.headers());
  }

  /** One connection to a stream; credentials that have expired are renewed. */
  async open(call: Call, headers: Headers, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const used = this.#credential.headers();
    try {
      return await this.#open(call, { ...headers, ...used }, signal);
    } catch (error) {
      if (!isExpiry(error) || !(await unlessAborted(this.#credential.renew(used), signal))) throw error;
      return await this.#open(call, { ...headers, ...this.#credential.headers() }, signal);
    }
  }

  async #repeat(call: Call, key: Headers, credentialOf: () => Headers): Promise<Answer<unknown>> {
    const { retry, timeoutMs, onRetry } = this.#settings;
    const startMs = performance.now();
    let renewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const used = credentialOf();
      const outcome = await this.#send(call, { ...key, ...used }, call.timeoutMs ?? timeoutMs);
      if ('answer' in outcome) return { ...outcome.answer, attempts };
      const { error, isPassing } = outcome;
      if (!renewed && isExpiry(error) && (await unlessAborted(this.#credential.renew(used), call.signal))) {
        renewed = true;
        continue;
      }
      const retryAfterMs = error instanceof MarketplaceError ? error.retryAfterMs : null;
      const waitMs = backoffMs(attempts, retryAfterMs);
      const isLate = performance.now() - startMs + waitMs > retry.forMs || attempts >= retry.attemptsMax;
      if (!isPassing || !isRepeatable(call, error) || isLate) throw error;
      onRetry?.({ call: nameOf(call), attempts, error, waitMs });
      await pause(waitMs, call.signal);
    }
  }

  async #refresh(refresh_token: string): Promise<components['schemas']['Session']> {
    const path = '/api/v1/auth/refresh';
    // Where the answer is lost the session is lost with it, so that a second try can only win.
    const call: Call = { method: 'post', pathTemplate: path, body: { refresh_token }, repeatable: true };
    const { data } = await this.#repeat(call, {}, () => ({}));
    return data as components['schemas']['Session'];
  }
}

function isExpiry(error: unknown): boolean {
  return error instanceof MarketplaceError && error.code === errorCodes.token_expired;
}

/** None where the service takes none: an error then names no key. Two that differ are the service's to refuse. */
function keyHeaderOf(call: Call): Headers {
  if (call.method === 'get' || isUnkeyed(call)) return {};
  return { 'idempotency-key': call.idempotencyKey ?? keyInBodyOf(call) ?? randomKey() };
}

function keyInBodyOf({ body }: Call): string | null {
  if (body === null || typeof body !== 'object' || !('idempotency_key' in body)) return null;
  return typeof body.idempotency_key === 'string' ? body.idempotency_key : null;
}

function isUnkeyed(call: Call): boolean {
  return (unkeyedWrites as readonly string[]).includes(nameOf(call));
}

/** What has no idempotency is sent again only where the service turned it away at the door, unless its caller says so. */
function isRepeatable(call: Call, error: unknown): boolean {
  if (!isUnkeyed(call) || call.repeatable === true) return true;
  return error instanceof MarketplaceError && error.httpStatus === 429;
}

/** 128 random bits, also where a browser's page is not secure and has no randomUUID. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
