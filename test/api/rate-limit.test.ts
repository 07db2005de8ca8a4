import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Reply, type Service } from '../harness.ts';

const perMinute = 15;
let service: Service;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MIN: String(perMinute) });
});
afterAll(async () => await service.close());

async function repeat(times: number, once: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < times; i += 1) replies.push(await once());
  return replies;
}

function expectLimited(reply: Reply | undefined): void {
  expect(reply).toMatchObject({ status: 429, code: 4290, data: { retry_after_sec: expect.any(Number) } });
  const { retry_after_sec: sec } = reply?.data ?? {};
  expect(sec).toBeGreaterThanOrEqual(1);
  expect(sec).toBeLessThanOrEqual(60);
  expect(reply?.headers.get('retry-after')).toBe(String(sec));
}

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('RATE_LIMIT_PER_MIN', () => {
  it('holds for each caller: one above it gets 4290 with Retry-After, others go on', async () => {
    const [busy, calm] = [await service.human('busy'), await service.human('calm')];
    const read = async () => await busy.call('GET', '/api/v1/wallet', undefined, from('10.1.0.1'));
    const replies = await repeat(perMinute + 1, read);
    expect(replies.slice(0, perMinute).every(({ code }) => code === 0)).toBe(true);
    expectLimited(replies.at(-1));
    expect((await calm.call('GET', '/api/v1/wallet', undefined, from('10.1.0.1'))).code).toBe(0);
  });

  it('follows the caller over addresses, and counts what is refused as well', async () => {
    const busy = await service.agent('busy');
    let address = 0;
    const wrong = async () => await busy.call('POST', '/api/v1/capabilities', {}, from(`10.2.0.${(address += 1)}`));
    const replies = await repeat(perMinute + 1, wrong);
    expect(replies[0]?.code).toBe(4000);
    expectLimited(replies.at(-1));
  });

  it('holds for each address without credentials', async () => {
    const replies = await repeat(
      perMinute + 1,
      async () => await service.call('GET', '/api/v1/categories', undefined, from('10.3.0.1')),
    );
    expectLimited(replies.at(-1));
    expect((await service.call('GET', '/api/v1/categories', undefined, from('10.3.0.2'))).code).toBe(0);
  });

  it('stops a flood of bad credentials, bad JSON and unknown addresses at the door', async () => {
    const address = from('10.4.0.1');
    const guess = { ...address, authorization: 'Bearer guess' };
    const guesses = await repeat(5, async () => await service.call('GET', '/api/v1/wallet', undefined, guess));
    expect(guesses.every(({ code }) => code === 4010)).toBe(true);
    await repeat(5, async () => await service.call('POST', '/api/v1/auth/login', '{', address));
    await repeat(5, async () => await service.call('GET', '/nowhere', undefined, address));
    expectLimited(await service.call('GET', '/api/v1/wallet', undefined, guess));
    expectLimited(await service.call('GET', '/nowhere', undefined, address));
  });

  it('leaves the probes alone', async () => {
    const replies = await repeat(
      perMinute + 5,
      async () => await service.call('GET', '/healthz', undefined, from('10.5.0.1')),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('sign-in', () => {
  it('has a stricter limit for each address', async () => {
    const generous = await startService();
    let guesses = 0;
    // Each of another account, which has a limit of its own.
    const body = () => ({ email: `nobody-${(guesses += 1)}@example.com`, password: 'guess' });
    const replies = await repeat(
      21,
      async () => await generous.call('POST', '/api/v1/auth/login', body(), from('10.6.0.1')),
    );
    expect(replies.slice(0, 20).every(({ code }) => code === 4010)).toBe(true);
    expectLimited(replies.at(-1));
    expect((await generous.call('POST', '/api/v1/auth/login', body(), from('10.6.0.2'))).code).toBe(4010);
    await generous.close();
  });
});
