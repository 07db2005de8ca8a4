import { Writable } from 'node:stream';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { logRedaction } from '../../api/log.ts';

describe('the log', () => {
  it('holds no user code and no credential, and otherwise what was asked', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const app = fastify({ logger: { level: 'info', stream, redact: logRedaction } });
    app.get('/*', async (request) => {
      request.log.info({ req: { headers: { authorization: 'Bearer secret', 'x-api-key': 'mk_live_secret' } } }, 'seen');
      return {};
    });
    for (const path of ['/device', '/api/v1/auth/device-auth/lookup'])
      await app.inject(`${path}?user%5Fcode=BCDF-GHJK&user_code=BCDF-GHJK`);
    await app.inject('/api/v1/categories?page=2');
    const log = lines.join('');
    expect(log).toContain('/api/v1/auth/device-auth/lookup?[Redacted]');
    expect(log).toContain('/api/v1/categories?page=2');
    expect(log).not.toMatch(/BCDF|secret/);
    await app.close();
  });
});
