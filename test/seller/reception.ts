import type { IncomingMessage, ServerResponse } from 'node:http';
import { behave } from './behaviour.ts';
import type { SeenCall } from './call-log.ts';
import { control, type Knowledge } from './control.ts';
import { answerJson } from './json-answer.ts';
import type { SecretStore } from './signature.ts';

const bodyMaxBytes = 16 * 1024 * 1024;

/** Takes one request: a word of its owner, or a call, which is noted whether it is believed or not. */
export async function receive(request: IncomingMessage, response: ServerResponse, known: Knowledge): Promise<void> {
  const receivedAtMs = performance.now();
  const url = new URL(request.url ?? '/', 'http://seller');
  const body = await readBody(request);
  if (url.pathname.startsWith('/control/')) return control(url, request, body, response, known);
  const seen = readCall(url.pathname, body, request, known.secrets);
  const begun = known.calls.begin(seen, receivedAtMs);
  response.once('finish', () => begun.finish(response.statusCode));
  if (seen.verified) behave(url.pathname, { seen, ordinal: begun.ordinal, query: url.searchParams, response });
  else answerJson(response, 401, { error: 'no valid signature' });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyMaxBytes) throw new Error(`more than ${bodyMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readCall(path: string, body: string, { headers }: IncomingMessage, secrets: SecretStore): SeenCall {
  const said = parseObject(body);
  const capabilityId = textOf(said['capability_id']);
  return {
    path,
    transaction_id: textOf(said['transaction_id']),
    capability_id: capabilityId,
    attempt: typeof said['attempt'] === 'number' ? said['attempt'] : null,
    test: said['test'] === true,
    input: said['input'] ?? null,
    idempotency_key: textOf(headers['idempotency-key']),
    webhook_id: textOf(headers['webhook-id']),
    request_id: textOf(headers['x-request-id']),
    verified: capabilityId !== null && secrets.verifies(capabilityId, body, headers),
  };
}

/** Nobody is to be believed yet, so anything may come. */
function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
