import type { PushConfig, PushData } from '../../domain/a2a/push-config.ts';
import { taskOf, type Refusal, type TaskView } from '../../domain/a2a/task-view.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { isTerminal, toRecord } from '../../domain/transaction/transaction.ts';
import type { A2aCall } from './call.ts';
import type { Wish } from './message.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { checkConfig, saveConfig } from './push-config.ts';
import { refusalOf, sendMessage, type Address } from './task.operations.ts';
import { readState } from './task.reads.ts';

/**
 * Does what a message asks for, and has what happens to its task from then on posted where the client wishes. The task is
 * answered as it is once the config stands: whatever comes after the answer is posted. Where a task has too many configs,
 * it says so beside what was asked for. To a task that ended, or of which nothing was bought, nothing more happens: its
 * config is not kept.
 */
export async function sendWithPush(
  call: A2aCall,
  wish: Wish,
  address: Address,
  config: PushConfig | null,
  ids: PushData['ids'] = null,
): Promise<TaskView> {
  if (config !== null) checkConfig(call, config);
  const task = await sendMessage(call, wish, address);
  if (config === null || task.metadata['transaction'] === null || isTerminal(task.status)) return task;
  const refusal = await trySaving(call, task, config, ids);
  const state = await readState(call, task.id);
  return taskOf(toRecord(state), refusal ?? (task.metadata['refusal'] as Refusal | undefined) ?? null);
}

/** The refusal, where there are too many. */
async function trySaving(
  call: A2aCall,
  { id }: TaskView,
  config: PushConfig,
  ids: PushData['ids'],
): Promise<Refusal | null> {
  try {
    await saveConfig(call, id, config, ids);
    return null;
  } catch (error) {
    if (error instanceof MarketplaceError && error.errorName === 'conflict') return refusalOf(error);
    // It has ended in the meantime, which the answer says.
    if (error instanceof ProtocolFault && error.fault === 'unsupported_operation') return null;
    throw error;
  }
}
