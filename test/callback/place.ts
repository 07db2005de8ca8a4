import { expect } from 'vitest';
import type { SellerClient } from '../../activities/callback/seller-client.ts';
import { listenHttp, urlOf } from './listening.ts';
import { sellerCall } from './seller-call.ts';

/** Sees that nothing of before holds a place at this machine: as many calls as there are places are answered at once. */
export async function expectFree(client: SellerClient, cap: number): Promise<void> {
  const server = await listenHttp((_, response) => response.end('{}'));
  const calls = Array.from({ length: cap }, () => client.call(sellerCall(urlOf(server))));
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(calls.map(() => 'answered'));
}
