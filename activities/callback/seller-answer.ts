import type { Dispatcher } from 'undici';
import { answerMaxBytes, type CallbackAnswer, type CallbackReason } from '../../domain/capability/callback.ts';
import type { Fault } from './fault.ts';
import { readJsonObject } from './json-object.ts';

/** What is to be said of an attempt, apart from status and time. */
export type Verdict = Pick<CallbackAnswer, 'outcome' | 'reason' | 'result'>;

const timedOut: Verdict = { outcome: 'timed_out', reason: null, result: null };
const accepted: Verdict = { outcome: 'accepted', reason: null, result: null };

/** Final: another attempt would not help. */
export function refused(reason: CallbackReason): Verdict {
  return { outcome: 'refused', reason, result: null };
}

/** Passing: another attempt may help. */
function failed(reason: CallbackReason): Verdict {
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

/** What it means that there was no answer to judge. */
export function verdictOf(fault: Fault): Verdict {
  if (fault === 'timed_out') return timedOut;
  return fault === 'address_refused' ? refused(fault) : failed(fault);
}
