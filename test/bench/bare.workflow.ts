import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

/** The peer: the same messages as a transaction's life, with nothing behind them. */
export async function bare(): Promise<void> {
  let left = 5;
  for (const name of ['created', 'freeze', 'accept', 'deliver', 'confirm']) {
    setHandler(defineUpdate<number>(name), () => (left -= 1));
  }
  await condition(() => left === 0);
}

const { nothing } = proxyActivities<{ nothing(): Promise<string> }>({ startToCloseTimeout: '30 seconds' });

/** The peer of an invocation: one activity, with nothing in it. */
export async function bareActivity(): Promise<string> {
  return await nothing();
}
