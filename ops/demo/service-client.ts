import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { errorTable } from '../../domain/errors.ts';
import { messageOf } from '../stack/deadline.ts';
import { tellNote } from './narrator.ts';
import * as wire from './wire.ts';

const requestTimeoutMs = 45_000;
const giveUpAfterMs = 120_000;
const firstBackoffMs = 250;
const longestBackoffMs = 5_000;

/** A success: what the envelope held, and whether the service had stored it for an earlier try. */
export interface Answer<T> {
  readonly httpStatus: number;
  readonly data: T;
  readonly replayed: boolean;
}

/** An answer that no retry changes. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly httpStatus: number;
  readonly code: number;
  readonly data: unknown;

  constructor(call: string, httpStatus: number, envelope: wire.Envelope) {
    super(
      `${call} was refused: ${httpStatus}, code ${envelope.code}: ${envelope.message} ${JSON.stringify(envelope.data)}`,
    );
    this.httpStatus = httpStatus;
    this.code = envelope.code;
    this.data = envelope.data;
  }
}

/** The headers by which the service knows a caller. */
export type Credentials = Readonly<Record<string, string>>;

/** How a write is sent. */
export interface Sending {
  readonly credentials?: Credentials | undefined;
  readonly key?: string | undefined;
  /** For a write that is answered only after somebody else has answered. */
  readonly timeoutMs?: number | undefined;
}

/**
 * What the service has from the seller, so 502 and 504, is as final as any refusal; who polls too fast must know it.
 */
const finalCodes = new Set<number>([
  errorTable.callback_failed.code,
  errorTable.callback_timeout.code,
  errorTable.slow_down.code,
]);

interface Request<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly credentials?: Credentials | undefined;
  readonly body?: unknown;
  /** What the data of a success looks like. */
  readonly data: z.ZodType<T>;
  /** A write is sent again with the same key, so that it happens once. */
  readonly key?: string;
  readonly timeoutMs?: number | undefined;
}

/** Talks to the service as any client should: whatever gives hope is tried again, a write with the same key. */
export class ServiceClient {
  readonly baseUrl: string;
  readonly #pauseMs: number;

  /** `pauseMs`: how long to wait before each write, for an audience that wants to follow. */
  constructor(baseUrl: string, pauseMs: number) {
    this.baseUrl = baseUrl;
    this.#pauseMs = pauseMs;
  }

  get<T>(path: string, data: z.ZodType<T>, credentials?: Credentials): Promise<Answer<T>> {
    return this.#send({ method: 'GET', path, data, credentials });
  }

  async delete<T>(path: string, data: z.ZodType<T>, credentials: Credentials): Promise<Answer<T>> {
    await delay(this.#pauseMs);
    return await this.#send({ method: 'DELETE', path, data, credentials, key: randomUUID() });
  }

  async post<T>(
    path: string,
    body: unknown,
    data: z.ZodType<T>,
    { credentials, key = randomUUID(), timeoutMs }: Sending = {},
  ): Promise<Answer<T>> {
    await delay(this.#pauseMs);
    return await this.#send({ method: 'POST', path, body, data, credentials, key, timeoutMs });
  }

  async #send<T>(request: Request<T>): Promise<Answer<T>> {
    const call = `${request.method} ${request.path}`;
    const startMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#try(call, request);
      const passedMs = performance.now() - startMs;
      if ('answer' in outcome) {
        if (attempt > 1) tellNote(`… answered at try ${attempt}, after ${seconds(passedMs)}.`);
        return outcome.answer;
      }
      if (passedMs > giveUpAfterMs) {
        throw new Error(`${call}: given up after ${attempt} tries in ${seconds(passedMs)} (${outcome.hope}).`);
      }
      if (attempt === 1) {
        const same = request.key === undefined ? '' : ', with the same Idempotency-Key';
        tellNote(`${call}: ${outcome.hope}; trying again for up to ${seconds(giveUpAfterMs)}${same} …`);
      }
      const backoffMs = Math.min(firstBackoffMs * 2 ** (attempt - 1), longestBackoffMs);
      await delay(Math.max(backoffMs, Math.min(outcome.retryAfterMs, 2 * longestBackoffMs)));
    }
  }

  /** One try: an answer, or the reason why another may have one. Rejects when none can. */
  async #try<T>(
    call: string,
    { method, path, credentials, body, data, key, timeoutMs = requestTimeoutMs }: Request<T>,
  ): Promise<{ answer: Answer<T> } | Hope> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.baseUrl + path, {
        method,
        headers: {
          ...credentials,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await response.text();
    } catch (error) {
      return { hope: `no connection (${causeOf(error)})`, retryAfterMs: 0 };
    }
    const envelope = parseEnvelope(text);
    const inUse = envelope?.code === errorTable.idempotency_key_in_use.code;
    const passing = [429, 502, 503, 504].includes(response.status) && !finalCodes.has(envelope?.code ?? 0);
    if (envelope === null || inUse || passing) {
      const words = envelope === null ? '' : `, code ${envelope.code}`;
      return { hope: `answered ${response.status}${words}`, retryAfterMs: retryAfterMs(response) };
    }
    if (envelope.code !== 0) throw new RefusedError(call, response.status, envelope);
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { answer: { httpStatus: response.status, data: data.parse(envelope.data), replayed } };
  }
}

interface Hope {
  readonly hope: string;
  readonly retryAfterMs: number;
}

/** Null for what no part of the service has written, such as the page of a proxy. */
function parseEnvelope(text: string): wire.Envelope | null {
  try {
    return wire.envelope.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function retryAfterMs(response: Response): number {
  return (Number(response.headers.get('retry-after')) || 0) * 1_000;
}

/** What a failed fetch is about stands in its cause. */
export function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
