import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthRoutes } from '../../api/health/health.routes.ts';
import type { Deps } from '../../api/deps.ts';
import { startService, type Service } from '../harness.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MIN: '3' });
});
afterAll(async () => await service.close());

describe('health', () => {
  test('is alive and ready without credentials or envelope, and never rate limited', async () => {
    for (let round = 0; round < 5; round += 1) {
      const alive = await service.call('GET', '/healthz');
      expect(alive).toMatchObject({ status: 200, text: '{"status":"ok"}' });
      const ready = await service.call('GET', '/readyz');
      expect(ready).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    }
  });

  test('metrics name each route by its pattern, method and status, never by an id', async () => {
    await service.call('GET', '/api/v1/capabilities/01936f3e-7c1a-7000-8000-000000000001');
    const { status, headers, text } = await service.call('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain(
      'http_request_duration_seconds_count{route="/api/v1/capabilities/:cap_id",method="GET",status="401"} 1',
    );
    expect(text).not.toContain('01936f3e');
  });

  test('metrics count the streams that are open', async () => {
    const person = await service.human();
    const streams = async () =>
      /^open_streams (\d+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1] ?? 'nothing';
    expect(await streams()).toBe('0');
    const leave = new AbortController();
    const accept = { accept: 'text/event-stream', ...(await person.headers()) };
    await fetch(`${service.url}/api/v1/events`, { headers: accept, signal: leave.signal });
    expect(await streams()).toBe('1');
    leave.abort();
    await expect.poll(streams, { timeout: 10_000 }).toBe('0');
  });
});

const fine = async () => undefined;
const broken = async () => {
  throw new Error('secret words');
};
const silent = () => new Promise<undefined>(() => undefined);

/** The routes alone, over parts that answer as a test wants. */
async function readiness(database: () => Promise<unknown>, temporal: () => Promise<void>) {
  const deps = { orm: { em: { fork: () => ({ execute: database }) } }, workflows: { ping: temporal } };
  const app = Fastify();
  healthRoutes(app, deps as unknown as Deps);
  const startMs = performance.now();
  const { statusCode, body, headers } = await app.inject('/readyz');
  await app.close();
  const answer = JSON.parse(body) as { status: string; down?: string[] };
  return { statusCode, ...answer, retryAfter: headers['retry-after'], tookMs: performance.now() - startMs };
}

describe('readiness', () => {
  test('answers 503 and names what is down, and nothing of why', async () => {
    expect(await readiness(fine, broken)).toMatchObject({ statusCode: 503, down: ['temporal'], retryAfter: '2' });
    expect(await readiness(broken, fine)).toMatchObject({ statusCode: 503, down: ['database'] });
    const both = await readiness(broken, broken);
    expect(both).toMatchObject({ statusCode: 503, down: ['database', 'temporal'] });
    expect(JSON.stringify(both)).not.toContain('secret');
  });

  test('does not wait longer than its limit for what does not answer', async () => {
    const { statusCode, down, tookMs } = await readiness(silent, silent);
    expect({ statusCode, down }).toEqual({ statusCode: 503, down: ['database', 'temporal'] });
    expect(tookMs).toBeLessThan(3_500);
  });
});
