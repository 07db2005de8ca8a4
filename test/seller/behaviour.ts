import type { ServerResponse } from 'node:http';
import type { SeenCall } from './call-log.ts';
import { answerJson, answerText } from './json-answer.ts';

/** A verified call that waits for its answer. */
export interface OpenCall {
  readonly seen: SeenCall;
  /** Which call of its transaction this is, from 1. */
  readonly ordinal: number;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}

type Behaviour = (call: OpenCall) => void;

const hugeBytes = 2 * 1024 * 1024;
const trickleEveryMs = 1_000;

const behaviours: Readonly<Record<string, Behaviour>> = {
  '/fast': answerWell,
  '/slow': answerSlowly,
  '/flaky': (call) => {
    if (call.ordinal <= numberIn(call.query, 'fail', 2)) answerJson(call.response, 503, { error: 'try again' });
    else answerWell(call);
  },
  '/hang': () => {},
  '/trickle': trickle,
  '/huge': ({ response }) => answerJson(response, 200, { answer: 'x'.repeat(hugeBytes) }),
  '/invalid-json': ({ response }) => answerText(response, 200, '{"answer":'),
  '/array': ({ response }) => answerJson(response, 200, ['done']),
  '/later': ({ response, seen }) => answerJson(response, 202, { transaction_id: seen.transaction_id }),
  '/refuse': ({ response, query }) => answerJson(response, statusIn(query, 422), { error: 'refused' }),
  '/broken': ({ response, query }) => answerJson(response, statusIn(query, 503), { error: 'broken' }),
  '/reset': reset,
  '/reset-once': (call) => (call.ordinal === 1 ? reset(call) : answerWell(call)),
  '/redirect': ({ response, query }) => {
    // 307: a caller that followed it would send the same POST there, and be seen.
    response.writeHead(307, { location: query.get('to') ?? '/fast' }).end();
  },
};

/** Does with a verified call what its path asks for; a path that stands for nothing is answered 404. */
export function behave(path: string, call: OpenCall): void {
  const behaviour = Object.hasOwn(behaviours, path) ? behaviours[path] : undefined;
  if (behaviour === undefined) answerJson(call.response, 404, { error: 'no such behaviour' });
  else behaviour(call);
}

function answerWell({ response, seen }: OpenCall): void {
  answerJson(response, 200, { answer: 'done', echo: seen.input, transaction_id: seen.transaction_id });
}

function answerSlowly(call: OpenCall): void {
  // To take its time is what this behaviour is.
  const timer = setTimeout(() => answerWell(call), numberIn(call.query, 'ms', 500));
  call.response.once('close', () => clearTimeout(timer));
}

/** Blanks may stand before any JSON, so every byte could be followed by an answer. */
function trickle({ response }: OpenCall): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
  const timer = setInterval(() => response.write(' '), trickleEveryMs);
  response.once('close', () => clearInterval(timer));
}

/** RST instead of an orderly end: what a caller sees of a host that dies. */
function reset({ response }: OpenCall): void {
  response.socket?.resetAndDestroy();
}

function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const given = Number(query.get(name) ?? fallback);
  return Number.isFinite(given) ? given : fallback;
}

function statusIn(query: URLSearchParams, fallback: number): number {
  const status = numberIn(query, 'status', fallback);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : fallback;
}
