import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Ask } from '../../domain/transaction/command.ts';
import { decide } from '../../domain/transaction/decide.ts';
import type { TransactionState } from '../../domain/transaction/transaction.ts';
import { open } from '../../domain/transaction/transition.ts';
import type { Em } from '../../domain/store/orm.ts';
import { alone, applyTransition } from '../../domain/store/transition.store.ts';
import { offerOf } from '../domain/offer.ts';

/** When each step was committed, by `transaction/step`: epoch milliseconds as the writer saw the commit's answer. */
export type Commits = Map<string, number>;

/** What happens to a transaction, one event a step. It is still open after the last. */
const life: readonly (readonly ['buyer' | 'seller', Ask])[] = [
  ['buyer', { operation: 'freeze' }],
  ['seller', { operation: 'accept' }],
  ...Array.from({ length: 3 }, () => [
    ['seller', { operation: 'deliver' }] as const,
    ['buyer', { operation: 'request_changes', note: 'again' }] as const,
  ]).flat(),
  ['seller', { operation: 'deliver' }],
];
export const stepsOfLife = life.length;

/** A pending transaction of two users, straight in the database: what is measured comes after the commit. */
export async function makeTransaction(em: Em, buyer: string, seller: string): Promise<TransactionState> {
  const ids = { id: v7(), buyer_user_id: buyer, seller_user_id: seller, capability_id: v7(), context_id: v7() };
  const first = open(offerOf({ ...ids, price_ut: '1.00' }), Date.now());
  await applyTransition(em, first, alone);
  return first.next;
}

/** Takes `count` steps at a steady rate, the transactions in turns. */
export async function writeSteps(
  fork: () => Em,
  transactions: TransactionState[],
  count: number,
  perSec: number,
): Promise<Commits> {
  const commits: Commits = new Map();
  const startMs = performance.now();
  const written: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    // A rate is kept by the clock.
    await delay(Math.max(0, startMs + (index * 1_000) / perSec - performance.now()));
    written.push(writeStep(fork(), transactions, index, commits));
  }
  await Promise.all(written);
  return commits;
}

async function writeStep(em: Em, transactions: TransactionState[], index: number, commits: Commits): Promise<void> {
  const place = index % transactions.length;
  const state = transactions[place];
  const move = life[Math.floor(index / transactions.length)];
  if (state === undefined || move === undefined) throw new Error('a life has no more steps');
  const [party, ask] = move;
  const actor = { type: 'user', user_id: state[`${party}_user_id`], is_admin: false } as const;
  const step = decide(state, { ask, actor }, Date.now());
  transactions[place] = step.next;
  await applyTransition(em, step, alone);
  commits.set(`${state.id}/${step.next.step}`, performance.timeOrigin + performance.now());
}
