import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSeller, type SellerProcess } from './seller-process.ts';
import { makeCall, newSecret, openCall } from './signed-call.ts';

const capabilityId = randomUUID();
const secret = newSecret();
let seller: SellerProcess;

beforeAll(async () => {
  seller = await startSeller();
  await seller.trust(capabilityId, secret);
});
afterAll(async () => await seller.stop());

const newCall = () => ({ transactionId: randomUUID(), capabilityId, secret });
const codeOf = (error: unknown) => ((error as Error).cause as { code?: string }).code;

describe('a seller answers', () => {
  it('at once, with what it was asked', async () => {
    const call = { ...newCall(), input: { company: 'ACME', words: ['ä', '😀'] } };
    const { status, text } = await makeCall(`${seller.url}/fast`, call);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ answer: 'done', echo: call.input, transaction_id: call.transactionId });
  });

  it('slowly', async () => {
    const startMs = performance.now();
    expect((await makeCall(`${seller.url}/slow?ms=300`, newCall())).status).toBe(200);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(290);
  });

  it('at the third call of a transaction, counted for each transaction by itself', async () => {
    const [one, other] = [newCall(), newCall()];
    const statusOf = async (call: typeof one) => (await makeCall(`${seller.url}/flaky?fail=2`, call)).status;
    expect([await statusOf(one), await statusOf(one), await statusOf(one)]).toEqual([503, 503, 200]);
    expect(await statusOf(other)).toBe(503);
    expect(await seller.answerCount(one.transactionId)).toBe(1);
    expect(await seller.answerCount(other.transactionId)).toBe(0);
  });

  it('with more than a platform should read', async () => {
    const { status, text } = await makeCall(`${seller.url}/huge`, newCall());
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024);
  });

  it('with what is no JSON, and with JSON that is no object', async () => {
    const broken = await makeCall(`${seller.url}/invalid-json`, newCall());
    expect(broken.status).toBe(200);
    expect(() => JSON.parse(broken.text) as unknown).toThrow(SyntaxError);
    expect(await makeCall(`${seller.url}/array`, newCall())).toMatchObject({ status: 200, text: '["done"]' });
  });

  it('that it will deliver later, refuses, is broken, or sends elsewhere', async () => {
    const statusOf = async (path: string) => (await makeCall(seller.url + path, newCall())).status;
    expect(await statusOf('/later')).toBe(202);
    expect([await statusOf('/refuse'), await statusOf('/refuse?status=410')]).toEqual([422, 410]);
    expect([await statusOf('/broken'), await statusOf('/broken?status=500')]).toEqual([503, 500]);
    expect(await statusOf('/broken?status=many')).toBe(503);
    expect(await statusOf('/nothing')).toBe(404);
    const to = 'http://10.0.0.1/admin';
    const moved = await makeCall(`${seller.url}/redirect?to=${encodeURIComponent(to)}`, newCall());
    expect(moved).toMatchObject({ status: 307, location: to });
  });

  it('500 calls at once, each only once', async () => {
    const calls = Array.from({ length: 500 }, newCall);
    const heard = await Promise.all(calls.map((call) => makeCall(`${seller.url}/slow?ms=500`, call)));
    expect(heard.filter(({ status }) => status !== 200)).toEqual([]);
    const counts = await Promise.all(calls.map(({ transactionId }) => seller.answerCount(transactionId)));
    expect(counts.every((count) => count === 1)).toBe(true);
  });
});

describe('a seller that does not answer', () => {
  it('hangs, and serves others meanwhile', async () => {
    const hungUp = new AbortController();
    const call = { ...newCall(), signal: hungUp.signal };
    const hanging = openCall(`${seller.url}/hang`, call).then(
      () => 'answered',
      (error: Error) => error.name,
    );
    // A silence can only be listened to for a while.
    const silence = makeCall(`${seller.url}/slow?ms=300`, newCall()).then(() => 'silent');
    expect(await Promise.race([hanging, silence])).toBe('silent');
    const [seen] = await seller.calls({ transactionId: call.transactionId });
    expect(seen).toMatchObject({ path: '/hang', verified: true, answered: false, status: null });
    hungUp.abort();
    expect(await hanging).toBe('AbortError');
    expect(await seller.answerCount(call.transactionId)).toBe(0);
  });

  it('trickles blanks that never become an answer', async () => {
    const call = newCall();
    const response = await openCall(`${seller.url}/trickle`, call);
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) {
      chunks.push(new TextDecoder().decode(chunk));
      if (chunks.length === 2) break;
    }
    expect(chunks).toEqual([' ', ' ']);
    const [seen] = await seller.calls({ transactionId: call.transactionId });
    expect(seen).toMatchObject({ path: '/trickle', answered: false });
  });

  it('breaks the connection, every time or the first time only', async () => {
    const [always, first] = [newCall(), newCall()];
    const failure = async (path: string, call: typeof first) =>
      await makeCall(seller.url + path, call).then(({ status }) => status, codeOf);
    expect([await failure('/reset', always), await failure('/reset', always)]).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect([await failure('/reset-once', first), await failure('/reset-once', first)]).toEqual(['ECONNRESET', 200]);
    expect(await seller.answerCount(always.transactionId)).toBe(0);
    expect(await seller.answerCount(first.transactionId)).toBe(1);
  });
});

describe('a seller believes', () => {
  it('no signature of another secret, of another capability’s, or none', async () => {
    const forged = { ...newCall(), secret: newSecret() };
    const foreign = { ...newCall(), capabilityId: randomUUID() };
    expect((await makeCall(`${seller.url}/fast`, forged)).status).toBe(401);
    expect((await makeCall(`${seller.url}/fast`, foreign)).status).toBe(401);
    expect((await fetch(`${seller.url}/fast`, { method: 'POST', body: 'no JSON' })).status).toBe(401);
    expect((await fetch(`${seller.url}/fast`)).status).toBe(401);
    const [seen] = await seller.calls({ transactionId: forged.transactionId });
    expect(seen).toMatchObject({ verified: false, answered: true, status: 401 });
    expect(await seller.answerCount(forged.transactionId)).toBe(0);
  });

  it('every secret that it was told, and none that is no secret', async () => {
    const own = randomUUID();
    const secrets = [newSecret(), newSecret()];
    for (const one of secrets) await seller.trust(own, one);
    for (const one of secrets) {
      const call = { transactionId: randomUUID(), capabilityId: own, secret: one };
      expect((await makeCall(`${seller.url}/fast`, call)).status).toBe(200);
    }
    await expect(seller.trust(own, 'whsec_')).rejects.toThrow('422');
  });
});

describe('a seller notes', () => {
  it('what it was told, by transaction and by capability, until it forgets', async () => {
    const call = { ...newCall(), capabilityId: randomUUID(), attempt: 3, input: { company: 'ACME' } };
    const { transactionId } = call;
    await seller.trust(call.capabilityId, secret);
    await makeCall(`${seller.url}/fast`, call);
    const noted = {
      at: expect.any(String) as unknown,
      path: '/fast',
      transaction_id: transactionId,
      capability_id: call.capabilityId,
      attempt: 3,
      test: false,
      verified: true,
      idempotency_key: transactionId,
      webhook_id: expect.stringMatching(/^msg_/) as unknown,
      request_id: `request-of-${transactionId}`,
      input: { company: 'ACME' },
      answered: true,
      status: 200,
      took_ms: expect.any(Number) as unknown,
    };
    expect(await seller.calls({ transactionId })).toEqual([noted]);
    expect(await seller.calls({ capabilityId: call.capabilityId })).toEqual([noted]);
    expect((await seller.calls()).length).toBeGreaterThan(1);

    await seller.forget();
    expect(await seller.calls()).toEqual([]);
    expect(await seller.answerCount(transactionId)).toBe(0);
    expect((await makeCall(`${seller.url}/fast`, call)).status).toBe(200);
  });
});

describe('the process of a seller', () => {
  it('says that it is well, and knows no other control', async () => {
    const health = await fetch(`${seller.url}/control/health`);
    expect(await health.json()).toEqual({ status: 'ok' });
    expect((await fetch(`${seller.url}/control/other`)).status).toBe(404);
  });

  it('ends when it is told to, also in the middle of a call', async () => {
    const other = await startSeller();
    await other.trust(capabilityId, secret);
    const hanging = openCall(`${other.url}/trickle`, newCall());
    const response = await hanging;
    await other.stop();
    await expect(response.text()).rejects.toThrow('terminated');
    await expect(fetch(`${other.url}/control/health`)).rejects.toThrow('fetch failed');
    expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
    await other.stop();
  });

  it('ends at once when it is killed', async () => {
    const other = await startSeller();
    await other.kill();
    expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
  });

  it('says where it is, and ends with the one who started it', async () => {
    const file = fileURLToPath(new URL('seller.ts', import.meta.url));
    const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    if (child.stdout === null) throw new Error('the seller has no output');
    const line = once(createInterface(child.stdout), 'line');
    const [url] = (await once(child, 'message')) as [string];
    expect(JSON.parse(String(await line))).toEqual({ level: 'info', msg: 'seller ready', url });
    const ended = once(child, 'exit');
    // What the child sees of a parent that was killed.
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });
});
