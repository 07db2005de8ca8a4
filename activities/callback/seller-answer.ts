import type { Dispatcher } from 'undici';
import { answerMaxBytes, type CallbackAnswer, type CallbackReason } from '../../domain/capability/callback.ts';
import { AddressRefused, TlsFailed } from './guarded-connector.ts';
import { readJsonObject } from './json-object.ts';
import { Unresolvable } from './resolver.ts';

/** What is to be said of an attempt, apart from status and time. */
export type Verdict = Pick<CallbackAnswer, 'outcome' | 'reason' | 'result'>;

export const timedOut: Verdict = { outcome: 'timed_out', reason: null, result: null };
const accepted: Verdict = { outcome: 'accepted', reason: null, result: null };

/** Final: another attempt would not help. */
export function refused(reason: CallbackReason): Verdict {
  return { outcome: 'refused', reason, result: null };
}

/** Passing: another attempt may help. */
export function failed(reason: CallbackReason): Verdict {
  return { outcome: 'failed', reason, result: null };
}

/** Judges an answer. Its body is read only where it may be a result, and at most `answerMaxBytes` of it. */
export async function judgeAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Verdict> {
  if (statusCode === 202) return accepted;
  if (statusCode >= 500) return failed('http_5xx');
  if (statusCode >= 400) return refused('http_4xx');
  if (statusCode >= 300) return refused('http_3xx');
  if (!/^(identity)?$/i.test(String(headers['content-encoding'] ?? '').trim())) return refused('not_json_object');
  const bytes = await readBody(body);
  if (bytes === null) return refused('answer_too_large');
  const result = readJsonObject(bytes);
  return result === null ? refused('not_json_object') : { outcome: 'answered', reason: null, result };
}

/** Null where it is too large; the connection is gone then. What its length is said to be does not count. */
async function readBody(body: Dispatcher.ResponseData['body']): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (bytes > answerMaxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** What an error of the exchange means. Throws it where it is no fault of the seller. */
export function judgeError(error: unknown): Verdict {
  if (error instanceof AddressRefused) return refused('address_refused');
  if (error instanceof Unresolvable) return failed('unresolvable');
  if (error instanceof TlsFailed) return failed('tls_failed');
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === null || code === 'UND_ERR_INVALID_ARG') throw error;
  // A server may ask for a certificate of ours, and complain, when the connection already stands.
  return failed(/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code) ? 'tls_failed' : 'connection_failed');
}
