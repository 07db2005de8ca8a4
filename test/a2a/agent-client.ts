import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part, type SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { createParser } from 'eventsource-parser';
import {
  ClientFactory as LegacyFactory,
  DefaultAgentCardResolver as LegacyResolver,
  JsonRpcTransportFactory as LegacyTransport,
  type Client as LegacyClient,
} from 'a2a-sdk-0.3/client';
import type { Person, Service } from '../harness.ts';
import type { Data } from '../api/purchase.ts';

/** What a client puts into its requests beside the credentials. */
export type Headers = Record<string, string>;

/** The cards name the public address; requests go where the service listens. */
function fetchAs(service: Service, person: Person | null, extra: Headers): typeof fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input).replace(service.settings.publicUrl, service.url);
    const given = new Headers(init?.headers);
    const own = { ...(person === null ? {} : await person.headers()), ...extra };
    for (const [name, value] of Object.entries(own)) given.set(name, value);
    return await fetch(url, { ...init, headers: given });
  };
}

/** The official client of 1.0, which finds its way by the card. */
export async function clientOf(service: Service, person: Person | null, extra: Headers = {}): Promise<Client> {
  const fetchImpl = fetchAs(service, person, extra);
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  return await new ClientFactory({ transports, cardResolver }).createFromUrl(service.url);
}

/** The official client of 0.3, of a time before 1.0. */
export async function legacyClientOf(service: Service, person: Person, extra: Headers = {}): Promise<LegacyClient> {
  const fetchImpl = fetchAs(service, person, extra);
  const cardResolver = new LegacyResolver({ fetchImpl });
  const transports = [new LegacyTransport({ fetchImpl })];
  return await new LegacyFactory({ transports, cardResolver }).createFromUrl(service.url);
}

/** A message of 1.0: a string is a text part, anything else a data part. */
export function message(content: string | Data, more: Partial<Message> = {}, wait = false): SendMessageRequest {
  const value: Part['content'] =
    typeof content === 'string' ? { $case: 'text', value: content } : { $case: 'data', value: content };
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: value, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: !wait },
    metadata: undefined,
  };
}

/** A message of 0.3. */
export function legacyMessage(content: string | Data, more: Data = {}) {
  const part = typeof content === 'string' ? { kind: 'text', text: content } : { kind: 'data', data: content };
  const given = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [part], ...more };
  return { message: given, configuration: { blocking: false } } as unknown as Parameters<
    LegacyClient['sendMessage']
  >[0];
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  // Tests look into answers of every shape, and an unexpected one fails the expectation.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** One request as it goes over the wire; a string body is sent as it is. */
export async function post(
  service: Service,
  path: string,
  body: unknown,
  person: Person | null,
  extra: Headers = {},
): Promise<RpcAnswer> {
  const headers = { 'content-type': 'application/json', ...(person === null ? {} : await person.headers()), ...extra };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(service.url + path, { method: 'POST', headers, body: text });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) as unknown };
}

export const v0Path = '/api/v1/a2a/v0';

export function rpc(method: string, params: unknown, id: string | number = randomUUID()) {
  return { jsonrpc: '2.0', id, method, params };
}

/** The parameters of tasks/send of v0.1. */
export function v0Send(id: string, content: string | Data, more: Data = {}): Data {
  const part = typeof content === 'string' ? { type: 'text', text: content } : { type: 'data', data: content };
  return { id, message: { role: 'user', parts: [part] }, ...more };
}

/** A stream of v0.1: its results so far; `until` reads on until one fits, or to the end. */
export async function v0Stream(service: Service, person: Person, method: string, params: Data) {
  const id = randomUUID();
  const response = await fetch(service.url + v0Path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await person.headers()) },
    body: JSON.stringify(rpc(method, params, id)),
    signal: AbortSignal.timeout(20_000),
  });
  const results: Data[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      const answer = JSON.parse(data) as { id: string; result: Data };
      if (answer.id !== id) throw new Error(`answers ${answer.id} instead of ${id}`);
      results.push(answer.result);
    },
  });
  const chunks = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const until = async (fits: (result: Data) => boolean) => {
    while (!results.some(fits)) {
      const { value, done } = await chunks.next();
      if (done) break;
      parser.feed(value);
    }
    return results;
  };
  return { response, until };
}
