import type { CallbackOutcome } from '../domain/capability/callback.ts';
import { callbackCall } from './activities.ts';
import type { CallbackTest } from './messages.ts';

/** Calls a callback address once for its owner, who wants to see whether it works. No money moves. */
export async function callback_test(test: CallbackTest): Promise<CallbackOutcome> {
  return await callbackCall(test.timeout_ms, 1).callForTest(test);
}
