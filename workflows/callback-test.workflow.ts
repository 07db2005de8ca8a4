import { callbackCall } from './activities.ts';
import type { CallbackTest, CallResult } from './messages.ts';

/** Calls a callback address once for its owner, who wants to see whether it works. No money moves. */
export async function callback_test(test: CallbackTest): Promise<CallResult> {
  return await callbackCall(test.timeout_ms, 1).callForTest(test);
}
