import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openSellerClient } from '../../activities/callback/seller-client.ts';
import { isSpecialAddress, refusedAddress } from '../../domain/capability/callback-address.ts';
import { type Listening, listenHttp } from './listening.ts';
import { sellerCall } from './seller-call.ts';

/** Hosts, each called at a port where a server listens on every local address. */
const hosts = [
  // This machine, in every notation.
  ['127.0.0.1', '127.0.0.1.', '127.0.0.1..', '127.1', '127.0.1', '127.1.', '2130706433', '0x7f000001', '017700000001'],
  ['0x7f.1', '0x7F.0x0.0x0.0x1', '0177.0.0.1', '0177.1', '127.255.255.254', '0', '0.0.0.0', '0x0', '00000'],
  ['127%2e0%2e0%2e1', '%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1', '127.0．0.1', '127｡0｡0｡1'],
  // Networks that are nobody's, or everybody's own.
  ['10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.254', '169.254.0.1'],
  ['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.16689662', '169.254.170.2'],
  ['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '0xc0a80001'],
  ['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '168.63.129.16'],
  ['224.0.0.1', '239.255.255.250', '240.0.0.1', '254.1.2.3', '255.255.255.255', '4294967295'],
  // The same in IPv6.
  ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::2]', '[100::1]', '[5f00::1]'],
  ['[fe80::1]', '[fe80::1%25lo]', '[fe80::1%lo]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00::1]'],
  ['[fd00:ec2::254]', '[fd20:ce::254]', '[ff02::1]', '[ff0e::1]', '[2001:db8::1]', '[3fff::1]', '[4000::1]'],
  // IPv4 that hides in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[::ffff:8.8.8.8]'],
  ['[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]'],
  ['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::1]', '[64:ff9b:1:7f00:1::]'],
  [
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2001:0:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[2001:10::1]',
  ],
  // Names for it.
  [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'app.localhost',
    '.localhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc\u{ad}alhost',
  ],
  [
    'localhost.localdomain',
    'localhost%2e',
    'printer.local',
    'metadata.google.internal',
    'nas.lan',
    'router.home.arpa',
    '.',
  ],
].flat();

/** HOST is this machine at the port of the server. */
const wholeAddresses = [
  // Not HTTP.
  ['file:///etc/passwd', 'ftp://HOST/', 'gopher://HOST/_GET', 'data:application/json,{}', 'javascript:alert(1)'],
  ['ws://HOST/', 'unix:/run/docker.sock', 'http+unix://%2Frun%2Fdocker.sock/', 'dict://HOST/', 'ldap://HOST/'],
  // No address at all.
  ['http://', 'http:///', 'https://:80/', 'http://?', 'http://#', '', ' ', 'HOST', '//HOST/', 'seller.example/x'],
  ['http://256.0.0.1/', 'http://1.2.3.4.5/', 'http://[::1/', 'http://[1.2.3.4]/', 'http://HOST9999/', 'http://a%00b/'],
  // Credentials, and what only looks like another host.
  ['http://user@HOST/', 'http://user:word@seller.example/', 'http://:word@HOST/', 'http://seller.example@HOST/'],
  ['http://HOST\\@seller.example/', 'http://HOST#@seller.example/', 'http://HOST?@seller.example/'],
  // What the parser of addresses overlooks.
  [
    'http:HOST/',
    'http:/HOST/',
    'http:\\\\HOST\\',
    'http:////HOST/',
    '\thttp://HOST/\n',
    'http://\nHOST/',
    'HTTP://HOST',
  ],
].flat();

const client = openSellerClient({ allowPrivate: false, dnsServers: [], maxPerHost: 10 });
afterAll(() => client.close());

let server: Listening;
beforeEach(async () => {
  server = await listenHttp((_, response) => response.end('{}'), '::').catch(() =>
    listenHttp((_, response) => response.end('{}'), '0.0.0.0'),
  );
});

/** What both defences say, and whether the server has seen anything. */
async function attemptAt(url: string) {
  const { outcome, reason, http_status } = await client.call(sellerCall(url));
  const isRefused = refusedAddress(url, false) !== null;
  return { isRefused, outcome, reason, http_status, connections: server.connections.length };
}

const refused = { outcome: 'refused', reason: 'address_refused', http_status: null };
const untouched = { isRefused: true, ...refused, connections: 0 };

describe('an address that is not public is refused, and nothing is sent there', () => {
  test('the server that must see nothing can be seen', async () => {
    await fetch(`http://127.0.0.1:${server.port}/`);
    expect(server.connections).toHaveLength(1);
  });

  test.each(hosts)('http://%s', async (host) => {
    expect(await attemptAt(`http://${host}:${server.port}/`)).toEqual(untouched);
  });

  test.each(['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', 'localhost'])(
    'https://%s',
    async (host) => {
      expect(await attemptAt(`https://${host}:${server.port}/`)).toEqual(untouched);
    },
  );

  test.each(wholeAddresses)('%j', async (text) => {
    const here = `127.0.0.1:${server.port}`;
    expect(await attemptAt(text.replace('HOST', here))).toEqual(untouched);
  });
});

describe('a public address is not refused', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '223.255.255.255',
  ])('%s', (address) => {
    expect(isSpecialAddress(address)).toBe(false);
    expect(refusedAddress(`https://${address}:8443/x`, false)).toBeNull();
  });

  test.each(['2606:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2400:cb00::1'])(
    '%s',
    (address) => {
      expect(isSpecialAddress(address)).toBe(false);
      expect(refusedAddress(`https://[${address}]/`, false)).toBeNull();
    },
  );

  test.each(['seller.example', 'localhost.example', 'notlocalhost', 'internal.example', 'xn--nxasmq6b.example'])(
    '%s',
    (name) => {
      expect(refusedAddress(`https://${name}/`, false)).toBeNull();
    },
  );
});
