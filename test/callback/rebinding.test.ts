import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Answer } from 'dns-packet';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { AddressRefused, guardedConnector } from '../../activities/callback/guarded-connector.ts';
import { openResolver } from '../../activities/callback/resolver.ts';
import { openSellerClient } from '../../activities/callback/seller-client.ts';
import { certificate } from './certificate.ts';
import { type DnsServer, listenDns, type Zone } from './dns-server.ts';
import { listenHttp, listenHttps } from './listening.ts';
import { sellerCall } from './seller-call.ts';

const name = 'seller.test';
const here = '127.0.0.1';
/** Of a public service that has no business at the ports of this test. Whether it can be reached does not matter. */
const publicAddress = '8.8.8.8';

function a(data: string, of = name): Answer {
  return { type: 'A', name: of, ttl: 0, data };
}

function aaaa(data: string): Answer {
  return { type: 'AAAA', name, ttl: 0, data };
}

function clientOf(dns: DnsServer, allowPrivate = false) {
  const client = openSellerClient({ allowPrivate, dnsServers: [dns.address], maxPerHost: 10 });
  return { ...client, [Symbol.asyncDispose]: () => client.close() };
}

const listen = () => listenHttp((_, response) => response.end('{}'));

describe('a name is only as good as its addresses', () => {
  test('where all is allowed, the name server is asked, and its address is called by the name', async () => {
    await using dns = await listenDns((_, type) => (type === 'A' ? [a(here)] : []));
    const hosts: unknown[] = [];
    const server = await listenHttp((request, response) => {
      hosts.push(request.headers.host);
      response.end('{"found":true}');
    });
    await using client = clientOf(dns, true);
    const answer = await client.call(sellerCall(`http://${name}:${server.port}/`));
    expect(answer).toMatchObject({ outcome: 'answered', result: { found: true } });
    expect(dns.questions).toEqual(expect.arrayContaining([`A ${name}`, `AAAA ${name}`]));
    expect(hosts).toEqual([`${name}:${server.port}`]);
  });

  test('over HTTPS the certificate has to be for the name', async () => {
    await using dns = await listenDns((_, type) => (type === 'A' ? [a(here)] : []));
    const server = await listenHttps((_, response) => response.end('{}'));
    const known = getCACertificates();
    setDefaultCACertificates([...known, certificate]);
    try {
      await using client = clientOf(dns, true);
      expect(await client.call(sellerCall(`https://${name}:${server.port}/`))).toMatchObject({ outcome: 'answered' });
      const other = await client.call(sellerCall(`https://other.test:${server.port}/`));
      expect(other).toMatchObject({ outcome: 'failed', reason: 'tls_failed' });
    } finally {
      setDefaultCACertificates(known);
    }
  });

  test.each<[string, Zone]>([
    ['a private address', (_, type) => (type === 'A' ? [a(here)] : [])],
    ['the address of metadata', (_, type) => (type === 'A' ? [a('169.254.169.254')] : [])],
    ['0.0.0.0', (_, type) => (type === 'A' ? [a('0.0.0.0')] : [])],
    ['a public and a private address', (_, type) => (type === 'A' ? [a(publicAddress), a(here)] : [])],
    ['a private and a public address', (_, type) => (type === 'A' ? [a(here), a(publicAddress)] : [])],
    ['a public IPv4 and a private IPv6', (_, type) => (type === 'A' ? [a(publicAddress)] : [aaaa('::1')])],
    ['a private IPv4 and a public IPv6', (_, type) => (type === 'A' ? [a(here)] : [aaaa('2606:4700::1111')])],
    ['::1', (_, type) => (type === 'AAAA' ? [aaaa('::1')] : [])],
    ['a mapped IPv4', (_, type) => (type === 'AAAA' ? [aaaa('::ffff:127.0.0.1')] : [])],
    ['a compatible IPv4', (_, type) => (type === 'AAAA' ? [aaaa('::7f00:1')] : [])],
    ['NAT64', (_, type) => (type === 'AAAA' ? [aaaa('64:ff9b::7f00:1')] : [])],
    ['6to4', (_, type) => (type === 'AAAA' ? [aaaa('2002:7f00:1::')] : [])],
    ['a unique local address', (_, type) => (type === 'AAAA' ? [aaaa('fd00:ec2::254')] : [])],
    [
      'an alias of localhost',
      (_, type) => (type === 'A' ? [{ type: 'CNAME', name, ttl: 0, data: 'localhost' }, a(here, 'localhost')] : []),
    ],
  ])('%s is refused', async (_, zone) => {
    await using dns = await listenDns(zone);
    const server = await listen();
    await using client = clientOf(dns);
    for (const protocol of ['http', 'https']) {
      const answer = await client.call(sellerCall(`${protocol}://${name}:${server.port}/`));
      expect(answer).toMatchObject({ outcome: 'refused', reason: 'address_refused', http_status: null });
    }
    expect(server.connections).toEqual([]);
  });

  test('an alias of localhost without its address is dialled nowhere', async () => {
    await using dns = await listenDns((asked) =>
      asked === name ? [{ type: 'CNAME', name, ttl: 0, data: 'localhost' }] : [],
    );
    const server = await listen();
    await using client = clientOf(dns);
    const answer = await client.call(sellerCall(`http://${name}:${server.port}/`));
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'unresolvable' });
    expect(server.connections).toEqual([]);
  });

  test('an address that turns private after it was checked is not dialled, and refused the next time', async () => {
    await using dns = await listenDns((_, type, nth) => (type === 'A' ? [a(nth === 0 ? publicAddress : here)] : []));
    const server = await listen();
    await using client = clientOf(dns);
    const call = () => client.call(sellerCall(`http://${name}:${server.port}/`, { expiresAtMs: Date.now() + 500 }));
    const first = await call();
    expect(first.outcome).not.toBe('answered');
    expect(first.reason).not.toBe('address_refused');
    // One connection, one question: nothing is resolved again between check and connection.
    expect(dns.questions.filter((question) => question === `A ${name}`)).toHaveLength(1);
    expect(server.connections).toEqual([]);
    // A connection is still being tried where nothing says that the first address is not there. The next call opens another.
    const second = await call();
    expect(second).toMatchObject({ outcome: 'refused', reason: 'address_refused' });
    expect(server.connections).toEqual([]);
  });

  test('a name server that says nothing costs no more than the time of the call', async () => {
    await using dns = await listenDns(() => null);
    await using client = clientOf(dns);
    const answer = await client.call(sellerCall(`http://${name}/`, { expiresAtMs: Date.now() + 200 }));
    expect(answer).toMatchObject({ outcome: 'timed_out', http_status: null });
    expect(answer.latency_ms).toBeLessThan(1_500);
  });
});

describe('the connection checks by itself', () => {
  test.each(['127.0.0.1', '169.254.169.254', '[::1]', '[::ffff:7f00:1]', '[fd00::1]'])('%s', async (host) => {
    const server = await listen();
    const agent = new Agent({ connect: guardedConnector(openResolver([]), false) });
    const request = agent.request({ origin: `http://${host}:${server.port}`, path: '/', method: 'GET' });
    await expect(request).rejects.toBeInstanceOf(AddressRefused);
    expect(server.connections).toEqual([]);
    await agent.destroy();
  });
});
