import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());

const pages = ['/device', '/connections'];

async function valueIn(query: string): Promise<string | undefined> {
  const { text } = await service.call('GET', `/device${query}`);
  return /value="([^"]*)"\s+data-letters/.exec(text)?.[1];
}

describe('a page', () => {
  it('allows its own files and nothing else, and is kept by nobody', async () => {
    for (const path of pages) {
      const { status, headers, text } = await service.call('GET', path);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|\sstyle=|(src|href)="(https?:)?\/\//);
    }
  });

  it('takes a code into its field only where it is one', async () => {
    expect(await valueIn('?user_code=wdjbmjht')).toBe('WDJB-MJHT');
    for (const query of ['', '?user_code=', '?user_code=AEIO-AEIO', '?user_code=a&user_code=b', '?user_code=%22%3E'])
      expect(await valueIn(query)).toBe('');
  });

  it('is in no description, and answers other methods as the API does', async () => {
    const { text } = await service.call('GET', '/api/v1/public/openapi.json');
    expect(Object.keys(JSON.parse(text).paths).filter((path) => !path.startsWith('/api/'))).toEqual([]);
    for (const path of pages) expect(await service.call('POST', path, {})).toMatchObject({ status: 405, code: 4050 });
  });
});

describe('what a page loads', () => {
  it('has an address that changes with it, and may be kept for ever', async () => {
    for (const path of pages) {
      const { text } = await service.call('GET', path);
      const addresses = [...text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map((match) => match[1] ?? '');
      expect(addresses.length).toBeGreaterThan(2);
      for (const address of addresses) {
        const { status, headers } = await service.call('GET', address);
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
  });

  it('is still there under the name of another version, but not kept', async () => {
    const { status, headers } = await service.call('GET', '/page/another-version/page.css');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('is nothing but these files', async () => {
    for (const name of ['tsconfig.json', '..%2Flayout.ts', 'none.js'])
      expect(await service.call('GET', `/page/x/${name}`)).toMatchObject({ status: 404, code: 4040 });
  });
});
