import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Person, type Service } from '../harness.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import {
  deliveriesOf,
  freshPath,
  quickRetries,
  readWebhook,
  subscribe,
  tell,
  untilEnded,
  webhooks,
} from './subscription.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService({ ...quickRetries }, { webhooks: true }), openReceiver()]);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function untilDisabled(person: Person, id: string) {
  await expect.poll(async () => (await readWebhook(person, id))['status'], { timeout: 20_000 }).toBe('disabled');
  return await readWebhook(person, id);
}

interface DisabledEvent {
  readonly data: Record<string, unknown>;
}

async function disabledEvents(person: Person): Promise<DisabledEvent[]> {
  const { data } = await person.call('GET', '/api/v1/events?after=0&limit=100&type=webhook.disabled');
  return data.items as DisabledEvent[];
}

/** The events once there are any: the feed shows one a moment after its commit. */
async function untilTold(person: Person): Promise<DisabledEvent[]> {
  await expect.poll(() => disabledEvents(person)).not.toEqual([]);
  return await disabledEvents(person);
}

describe('a webhook is disabled', () => {
  it('when a delivery has used up its attempts and nothing else arrived; what waits is cancelled, and its owner told', async () => {
    const person = await service.human();
    const [path, watching] = [freshPath(), freshPath()];
    receiver.answer(path, (ordinal) => (ordinal === 1 ? { status: 500, headers: { 'retry-after': '600' } } : 500));
    const { id } = await subscribe(person, receiver.urlOf(path));
    const watcher = await subscribe(person, receiver.urlOf(watching), { event_types: ['webhook.disabled'] });
    await tell(service, person);
    await receiver.until(path, 1);
    await tell(service, person);
    const disabled = await untilDisabled(person, id);
    expect(disabled).toMatchObject({ disabled_reason: 'failing', disabled_at: expect.any(String) });
    const log = await deliveriesOf(person, id);
    expect(log.map(({ status, attempt_count }) => ({ status, attempt_count }))).toEqual([
      { status: 'failed', attempt_count: 4 },
      { status: 'cancelled', attempt_count: 1 },
    ]);
    const [event, ...others] = await untilTold(person);
    expect(others).toEqual([]);
    expect(event?.data).toMatchObject({ webhook_id: id, url: receiver.urlOf(path), reason: 'failing' });
    const [told] = await receiver.until(watching, 1);
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ type: 'webhook.disabled', data: event });
    // Nothing of it goes to the one that is disabled.
    expect(await deliveriesOf(person, id)).toHaveLength(2);
    expect(await readWebhook(person, watcher.id)).toMatchObject({ status: 'enabled' });
  });

  it('at once when it answers 410', async () => {
    const person = await service.human();
    const path = freshPath();
    receiver.answer(path, 410);
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person);
    expect(await untilDisabled(person, id)).toMatchObject({ disabled_reason: 'gone' });
    expect(await deliveriesOf(person, id)).toMatchObject([
      { status: 'failed', attempt_count: 1, last_http_status: 410 },
    ]);
    expect(await untilTold(person)).toMatchObject([{ data: { webhook_id: id, reason: 'gone' } }]);
    expect(receiver.received(path)).toHaveLength(1);
  });

  it('after it failed for so long without any success, however many attempts are left', async () => {
    const person = await service.human();
    const path = freshPath();
    receiver.answer(path, 503);
    const { id } = await subscribe(person, receiver.urlOf(path));
    await service.em.execute(`update webhook set failing_since = now() - interval '6 days' where id = ?`, [id]);
    await tell(service, person);
    expect(await untilDisabled(person, id)).toMatchObject({ disabled_reason: 'failing' });
    expect(await deliveriesOf(person, id)).toMatchObject([{ status: 'cancelled', attempt_count: 1 }]);
  });

  it('never by one event that it cannot take while others arrive', async () => {
    const person = await service.human();
    const path = freshPath();
    let poison = '';
    const { id } = await subscribe(person, receiver.urlOf(path));
    receiver.answer(path, (ordinal) => {
      const given = receiver.received(path)[ordinal - 1]?.headers['webhook-id'];
      if (ordinal === 1) {
        poison = String(given);
        // Long enough for the other one to arrive first.
        return { status: 500, headers: { 'retry-after': '1' } };
      }
      return given === poison ? 500 : 204;
    });
    await tell(service, person);
    await receiver.until(path, 1);
    await tell(service, person);
    const ended = await untilEnded(person, id, 2);
    expect(ended.map(({ status, attempt_count }) => ({ status, attempt_count }))).toEqual([
      { status: 'delivered', attempt_count: 1 },
      { status: 'failed', attempt_count: 4 },
    ]);
    expect(await readWebhook(person, id)).toMatchObject({ status: 'enabled' });
    expect(await disabledEvents(person)).toEqual([]);
  });

  it('by its owner, and gets nothing of what happens meanwhile; enabled again it goes on', async () => {
    const person = await service.human();
    const path = freshPath();
    const { id } = await subscribe(person, receiver.urlOf(path));
    const put = async (status: string) => (await person.call('PUT', `${webhooks}/${id}`, { status })).data;
    expect(await put('disabled')).toMatchObject({ status: 'disabled', disabled_reason: 'owner' });
    await tell(service, person, 'transaction.failed');
    // Behind it in the feed, so that the relay has passed it when this one is there.
    const other = freshPath();
    await subscribe(person, receiver.urlOf(other));
    await tell(service, person, 'transaction.failed');
    await receiver.until(other, 1);
    expect(await put('enabled')).toMatchObject({ status: 'enabled', disabled_at: null, disabled_reason: null });
    await tell(service, person, 'transaction.frozen');
    const [first] = await receiver.until(path, 1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'transaction.frozen' });
    expect(await disabledEvents(person)).toEqual([]);
  });

  it('when too much waits for it', async () => {
    const person = await service.human();
    const path = freshPath();
    const { id } = await subscribe(person, receiver.urlOf(path));
    await service.em.execute(
      `insert into webhook_delivery (id, webhook_id, event_type, body, status, next_attempt_at, started_at, created_at)
       select gen_random_uuid(), ?, 'transaction.created', '{}', 'pending', now() + interval '1 hour', now(), now()
       from generate_series(1, 10001)`,
      [id],
    );
    // A relay that begins looks for what was lost.
    await service.restartWorker();
    expect(await untilDisabled(person, id)).toMatchObject({ disabled_reason: 'failing' });
    expect((await person.call('GET', `${webhooks}/${id}/deliveries?status=cancelled`)).data.total).toBe(10_001);
  });
});

describe('a webhook that is disabled', () => {
  it('takes a test, no sending again, and what was cancelled is sent when it is enabled', async () => {
    const person = await service.human();
    const path = freshPath();
    receiver.answer(path, { status: 503, headers: { 'retry-after': '600' } });
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person);
    await receiver.until(path, 1);
    await person.call('PUT', `${webhooks}/${id}`, { status: 'disabled' });
    const [cancelled] = await deliveriesOf(person, id);
    expect(cancelled).toMatchObject({ status: 'cancelled', next_attempt_at: null });
    const again = async () =>
      await person.call('POST', `${webhooks}/${id}/deliveries/${String(cancelled?.['id'])}/resend`);
    expect(await again()).toMatchObject({ status: 409, code: 4093, data: { status: 'disabled' } });
    receiver.answer(path, 204);
    await person.call('POST', `${webhooks}/${id}/test`);
    await receiver.until(path, 2);
    await person.call('PUT', `${webhooks}/${id}`, { status: 'enabled' });
    expect(await again()).toMatchObject({ status: 200 });
    const received = await receiver.until(path, 3);
    expect(received[2]?.body).toBe(received[0]?.body);
    expect(await untilEnded(person, id, 2)).toMatchObject([{ event_type: 'webhook.test' }, { status: 'delivered' }]);
  });
});

describe('a webhook whose address a platform’s key set', () => {
  const enabledAgain = 'made it, and a person enabled it again';
  it.each(['made it', 'changed its address', enabledAgain])('ends with the grant once that key %s', async (what) => {
    const agent = await service.agent();
    const path = freshPath();
    const token = await service.secrets.accessTokens.sign({ id: agent.userId, roles: ['user'] }, new Date());
    const asHuman = { authorization: `Bearer ${token}` };
    const url = receiver.urlOf(path);
    const made = what.startsWith('made it')
      ? await agent.call('POST', webhooks, { url })
      : await service.call('POST', webhooks, { url: receiver.urlOf(freshPath()) }, asHuman);
    const { id } = made.data as { id: string };
    if (what === 'changed its address') await agent.call('PUT', `${webhooks}/${id}`, { url });
    if (what === enabledAgain)
      for (const status of ['disabled', 'enabled'])
        expect((await service.call('PUT', `${webhooks}/${id}`, { status }, asHuman)).data).toMatchObject({ status });
    const grants = `/api/v1/admin/platforms/${agent.platformId}/grants`;
    expect((await service.call('DELETE', `/api/v1/connections/${agent.platformId}`, undefined, asHuman)).code).toBe(0);
    // A later grant does not bring it back.
    await service.admin.call('POST', grants, { user_id: agent.userId });
    expect(await readWebhook(agent, id)).toMatchObject({ status: 'disabled', disabled_reason: 'owner' });
    const own = freshPath();
    await service.call('POST', webhooks, { url: receiver.urlOf(own) }, asHuman);
    await tell(service, agent);
    await receiver.until(own, 1);
    expect(receiver.received(path)).toEqual([]);
  });

  it('is sent nothing of what waits when the grant has ended, also where it is enabled again', async () => {
    const agent = await service.agent();
    const path = freshPath();
    receiver.answer(path, { status: 503, headers: { 'retry-after': '600' } });
    const { id } = (await agent.call('POST', webhooks, { url: receiver.urlOf(path) })).data as { id: string };
    await tell(service, agent);
    await receiver.until(path, 1);
    const grants = `/api/v1/admin/platforms/${agent.platformId}/grants`;
    expect((await service.admin.call('DELETE', `${grants}/${agent.userId}`)).code).toBe(0);
    await service.admin.call('POST', grants, { user_id: agent.userId });
    await agent.call('PUT', `${webhooks}/${id}`, { status: 'enabled' });
    expect(await deliveriesOf(agent, id)).toMatchObject([{ status: 'cancelled', next_attempt_at: null }]);
  });
});
