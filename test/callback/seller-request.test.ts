import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { openSellerClient, type SellerCall } from '../../activities/callback/seller-client.ts';
import { listenHttp, urlOf } from './listening.ts';
import { secret, sellerCall } from './seller-call.ts';

const client = openSellerClient({ allowPrivate: true, dnsServers: [], maxPerHost: 10 });
afterAll(() => client.close());

/** Makes the same call twice. */
async function received(changes: Partial<SellerCall> = {}) {
  const requests: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body });
      return response.writeHead(200, { 'set-cookie': 'a=1' }).end('{"found":[1,null,"✓"]}');
    });
  };
  const server = await listenHttp(listener);
  const call = sellerCall(urlOf(server), changes);
  const answer = await client.call(call);
  await client.call(call);
  return { call, answer, requests };
}

describe('what is sent', () => {
  test('a signed POST with the body, whose object is the result', async () => {
    const { call, answer, requests } = await received();
    expect(answer).toEqual({
      outcome: 'answered',
      reason: null,
      http_status: 200,
      result: { found: [1, null, '✓'] },
      latency_ms: expect.any(Number) as number,
    });
    expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true);
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', url: '/callback?x=1', body: JSON.stringify(call.body) });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(JSON.stringify(call.body))),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'Marketplace/1',
      'x-request-id': call.requestId,
      'idempotency-key': call.messageId,
      'webhook-id': call.messageId,
    });
  });

  test('both of two secrets verify what came, and no other does', async () => {
    const older = `whsec_${Buffer.from('an older secret').toString('base64')}`;
    const { call, requests } = await received({ secrets: [secret, older] });
    const { body = '', headers = {} } = requests[0] ?? {};
    for (const one of [secret, older]) {
      expect(new Webhook(one).verify(body, headers as Record<string, string>)).toEqual(call.body);
    }
    const foreign = new Webhook(`whsec_${Buffer.from('of somebody else').toString('base64')}`);
    expect(() => foreign.verify(body, headers as Record<string, string>)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow(
      'No matching signature',
    );
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  test('no cookie comes back', async () => {
    const { requests } = await received();
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });

  test('without a secret nothing is sent', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    expect(await client.call(sellerCall(urlOf(server), { secrets: [] }))).toMatchObject({
      outcome: 'refused',
      reason: 'no_secret',
    });
    expect(server.connections).toEqual([]);
  });

  test('a secret that is none is not told', async () => {
    const server = await listenHttp((_, response) => response.end('{}'));
    const error: unknown = await client
      .call(sellerCall(urlOf(server), { secrets: ['whsec_not+base64!'] }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(`${String(error)} ${(error as Error).stack}`).not.toContain('not+base64');
  });
});
