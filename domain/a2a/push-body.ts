import { StreamResponse } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { toRecord, type TransactionState } from '../transaction/transaction.ts';
import type { PushData } from './push-config.ts';
import { recordAt, taskOf, type RecordedStep, type TaskView } from './task-view.ts';
import { v0Task } from './v0-task.ts';
import { wireStatus, wireTask } from './v1-task.ts';

/**
 * What is posted of one step of a task. 1.0: a StreamResponse, with the whole task where a result comes with the step, else
 * with the change of its status. 0.3 and v0.1: the task as it was after the step.
 */
export function pushBody(
  generation: '0.1' | '0.3' | '1.0',
  step: RecordedStep,
  now: TransactionState,
  data: PushData | null,
): string {
  const view = taskOf(recordAt(step, toRecord(now)));
  switch (generation) {
    case '1.0':
      return JSON.stringify(StreamResponse.toJSON({ payload: updateOf(view) }));
    case '0.3':
      return new V03PushNotificationSerializer().serialize({ payload: wholeTask(view) }).body;
    case '0.1':
      return JSON.stringify(
        v0Task(view, { id: data?.ids?.id ?? view.id, sessionId: data?.ids?.sessionId ?? view.contextId }),
      );
  }
}

function updateOf(view: TaskView): NonNullable<StreamResponse['payload']> {
  if (view.result !== null && view.status === 'delivered') return wholeTask(view);
  const { id: taskId, contextId } = view;
  return {
    $case: 'statusUpdate',
    value: { taskId, contextId, status: wireStatus(view), metadata: { ...view.metadata } },
  };
}

function wholeTask(view: TaskView): Extract<NonNullable<StreamResponse['payload']>, { $case: 'task' }> {
  return { $case: 'task', value: wireTask(view) };
}
