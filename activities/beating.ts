import { Context } from '@temporalio/activity';

/** Well below the shortest heartbeat timeout there is. */
const defaultEveryMs = 1_500;

/** Keeps telling the server that the work goes on, which is also how the work learns that it is not wanted any more. */
export async function beating<T>(work: () => Promise<T>, everyMs = defaultEveryMs): Promise<T> {
  const context = Context.current();
  // The heartbeat has to be sent while nothing else happens.
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
