import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statusAttributeName, statusRestMs, transactionWorkflowId } from '../../workflows/messages.ts';
import { act, buyUpTo, openMarket, type Market } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';

let service: Service;
let market: Market;
beforeAll(async () => {
  service = await startService();
  market = await openMarket(service);
});
afterAll(async () => {
  await service.close();
});

/** What the lists of the Temporal UI were told, in order, and when; what the start told comes first. */
async function tellingsOf(id: string) {
  const { events } = await service.temporal.workflow.getHandle(transactionWorkflowId(id)).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const attributes =
      event.workflowExecutionStartedEventAttributes?.searchAttributes ??
      event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes;
    const told = attributes?.indexedFields?.[statusAttributeName]?.data;
    if (told === undefined || told === null) return [];
    const atMs = Number(event.eventTime?.seconds) * 1_000 + Number(event.eventTime?.nanos) / 1e6;
    return [{ status: JSON.parse(Buffer.from(told).toString()) as string, atMs }];
  });
}

async function toldNow(id: string): Promise<unknown> {
  const { searchAttributes } = await service.temporal.workflow.getHandle(transactionWorkflowId(id)).describe();
  return searchAttributes[statusAttributeName];
}

it('tells where a swift transaction has come to, not each step on the way', async () => {
  const id = await buyUpTo(market, 'settled');
  const tellings = await tellingsOf(id);
  expect(tellings.at(-1)?.status).toBe('settled');
  // The steps of a machine that stands still may be told one by one; the end is told at once.
  const steps = tellings.slice(0, -1);
  const restsMs = steps.slice(1).map(({ atMs }, index) => atMs - (steps[index]?.atMs ?? Number.NaN));
  expect(restsMs.filter((restMs) => restMs < statusRestMs - 100)).toEqual([]);
});

it('tells a status that rests', async () => {
  const id = await buyUpTo(market, 'accepted');
  await expect.poll(() => toldNow(id), { timeout: 20_000 }).toEqual(['accepted']);
  expect((await tellingsOf(id)).map(({ status }) => status)).toEqual(['pending', 'accepted']);
});

it('tells a step after a rest at once', async () => {
  const id = await buyUpTo(market, 'pending');
  // That nothing happens can only be waited for.
  await delay(statusRestMs + 200);
  await act(market.buyer, id, 'freeze');
  expect(await toldNow(id)).toEqual(['frozen']);
});
