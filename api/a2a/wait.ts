import type { A2aCall } from './call.ts';
import { endsStream } from '../../domain/a2a/task-state.ts';
import { changesAfter, startOfStream } from './task-stream.ts';
import { taskOf, type TaskView } from '../../domain/a2a/task-view.ts';

/** A trade takes hours; a client that waits for its answer gives up after some seconds. */
const waitMs = 3_000;

/** For a buyer: waits a little for the task to end or to need them, and answers it as it is then. */
export async function waitForTurn(call: A2aCall, task: TaskView): Promise<TaskView> {
  const { state, first } = await startOfStream(call, task);
  const ends = (status: TaskView['status']) => endsStream(status, call.generation);
  if (state === null || ends(first.status) || state.buyer_user_id !== call.caller.userId) return first;
  // Only the clock tells when the client has waited long enough.
  const enough = AbortSignal.any([call.gone, AbortSignal.timeout(waitMs)]);
  let last = first;
  for await (const { record } of changesAfter(call.deps, state, ends, enough)) last = taskOf(record);
  return last;
}
