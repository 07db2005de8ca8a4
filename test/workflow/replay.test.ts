import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { temporal } from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { statusAttributeName } from '../../workflows/messages.ts';
import { act, buyUpTo, openMarket, type Market } from '../api/purchase.ts';
import { invoke, openCallMarket, sell } from '../api/invoke.ts';
import { startService, type Service } from '../harness.ts';
import { startSeller, type SellerProcess } from '../seller/seller-process.ts';
import { webhookWays } from './webhook-way.ts';
import { openReceiver, type Receiver } from '../webhook/receiver.ts';
import { quickRetries } from '../webhook/subscription.ts';
import { skipTime } from './time.ts';

/**
 * Histories of transactions as earlier versions recorded them. A change of the workflow must replay them all; a new path
 * is recorded with RECORD_HISTORIES=true, and an old file is never recorded again.
 */
const folder = new URL('histories/', import.meta.url);
const isRecording = process.env['RECORD_HISTORIES'] === 'true';
// The harness, which records, installs its own.
if (!isRecording) Runtime.install({ logger: new DefaultLogger('WARN') });
const workflowBundle = () => ({ codePath: inject('stack').workflowBundlePath });

describe('a recorded history', async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));

  it('is there for every way through the state machine', () => {
    expect(files.toSorted()).toEqual(
      [...Object.keys(ways), ...Object.keys(webhookWays)].map((name) => `${name}.json`).toSorted(),
    );
  });

  it.each(files)('%s replays', async (file) => {
    const json = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Record<string, unknown>;
    const history = temporal.api.history.v1.History.fromObject(json);
    const replayed = Worker.runReplayHistory({ workflowBundle: workflowBundle() }, history, `transaction/${file}`);
    await expect(replayed).resolves.toBeUndefined();
  });
});

type Way = (market: Market, service: Service, seller: SellerProcess) => Promise<string>;

/** A way of an invocation that the seller's server answers at this path. */
function invoked(path: string, then: (market: Market, id: string) => Promise<unknown> = async () => undefined): Way {
  return async (_market, service, seller) => {
    const market = await openCallMarket(service, seller);
    const capabilityId = await sell(market, path);
    const reply = await invoke(market, capabilityId);
    const { transaction_id: id } = reply.data as { transaction_id: string };
    await then({ ...market, capabilityId }, id);
    return id;
  };
}

const ways: Record<string, Way> = {
  'invocation-answered': invoked('/fast'),
  'invocation-answered-on-the-third-call': invoked('/flaky?fail=2'),
  'invocation-refused-by-seller': invoked('/refuse'),
  'invocation-without-answer': invoked('/hang'),
  'invocation-delivered-later': invoked('/later', async ({ seller, buyer }, id) => {
    await act(seller, id, 'deliver', { result_payload: { done: true } });
    await act(buyer, id, 'confirm');
  }),
  'invocation-rejected-later': invoked('/later', async ({ seller }, id) => await act(seller, id, 'reject')),
  'settled-by-buyer': (market) => buyUpTo(market, 'settled'),
  'settled-swiftly': (market) => buyUpTo(market, 'settled'),
  'rejected-after-a-rest': async (market, service) => {
    const id = await buyUpTo(market, 'accepted');
    const told = async () =>
      (await service.temporal.workflow.getHandle(`transaction/${id}`).describe()).searchAttributes;
    await expect.poll(told, { timeout: 20_000 }).toMatchObject({ [statusAttributeName]: ['accepted'] });
    await act(market.seller, id, 'reject');
    return id;
  },
  'rejected-by-seller': async (market) => {
    const id = await buyUpTo(market, 'accepted');
    await act(market.seller, id, 'reject');
    return id;
  },
  'auto-confirmed-after-days': async (market, service) => {
    const id = await buyUpTo(market, 'delivered');
    await skipTime(service, id);
    return id;
  },
  'changes-then-dispute-split': async (market, service) => {
    const id = await buyUpTo(market, 'delivered');
    await act(market.buyer, id, 'request-changes', { note: 'more' });
    await act(market.seller, id, 'deliver');
    await act(market.buyer, id, 'dispute', { reason: 'bad' });
    const body = { outcome: 'split', seller_share_ut: '4', note: 'half' };
    await service.admin.call('POST', `/api/v1/admin/transactions/${id}/resolve`, body);
    return id;
  },
  'refused-freeze-then-operator-cancel': async (market, service) => {
    const poor = { ...market, buyer: await service.human() };
    const id = await buyUpTo(poor, 'pending');
    await act(poor.buyer, id, 'freeze');
    await service.temporal.workflow.getHandle(`transaction/${id}`).signal('cancel', { operator: 'jane' });
    return id;
  },
};

describe.runIf(isRecording)('recording', () => {
  let service: Service;
  let seller: SellerProcess;
  beforeAll(async () => {
    [service, seller] = await Promise.all([startService(), startSeller()]);
  });
  afterAll(async () => {
    await service.close();
    await seller.stop();
  });

  // One that is recorded is not recorded again.
  it.each(Object.keys(ways).filter((name) => !existsSync(new URL(`${name}.json`, folder))))('%s', async (name) => {
    const id = await ways[name]?.(await openMarket(service), service, seller);
    const handle = service.temporal.workflow.getHandle(`transaction/${id}`);
    expect(await handle.result()).toMatchObject({ id });
    await record(name, service, `transaction/${id}`);
  });
});

describe.runIf(isRecording)('recording of webhooks', () => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    [service, receiver] = await Promise.all([startService({ ...quickRetries }, { webhooks: true }), openReceiver()]);
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  it.each(Object.keys(webhookWays).filter((name) => !existsSync(new URL(`${name}.json`, folder))))(
    '%s',
    async (name) => {
      const workflowId = await webhookWays[name]?.(service, receiver);
      expect(workflowId).toMatch(/^webhook-/);
      await record(name, service, workflowId ?? '');
    },
  );
});

/** A file that is there stays as it was recorded. */
async function record(name: string, service: Service, workflowId: string): Promise<void> {
  const recorded = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
  const history = temporal.api.history.v1.History.create(recorded);
  const json = JSON.stringify(
    temporal.api.history.v1.History.toObject(history, { bytes: String, longs: String, enums: String }),
    null,
    1,
  );
  await writeFile(new URL(`${name}.json`, folder), `${json}\n`, { flag: 'wx' });
}
