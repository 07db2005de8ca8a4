import { Role, TaskState as WireState, type Artifact, type Message, type Part, type Task } from '@a2a-js/sdk';
import { derivedId } from '../identity/derived-id.ts';
import { taskStateOf, type TaskState } from './task-state.ts';
import type { TaskView } from './task-view.ts';

export const wireStates: Readonly<Record<TaskState, WireState>> = {
  submitted: WireState.TASK_STATE_SUBMITTED,
  working: WireState.TASK_STATE_WORKING,
  'input-required': WireState.TASK_STATE_INPUT_REQUIRED,
  completed: WireState.TASK_STATE_COMPLETED,
  canceled: WireState.TASK_STATE_CANCELED,
  failed: WireState.TASK_STATE_FAILED,
  rejected: WireState.TASK_STATE_REJECTED,
};

/** A task as 1.0 has it; the SDK writes it for 0.3 too. */
export function wireTask(view: TaskView): Task {
  return {
    id: view.id,
    contextId: view.contextId,
    status: wireStatus(view),
    artifacts: view.result === null ? [] : [resultArtifact(view.id, view.result)],
    history: [],
    metadata: { ...view.metadata },
  };
}

/** The status of a task, with what it waits for where it waits. */
export function wireStatus(view: TaskView) {
  return {
    state: wireStates[taskStateOf(view.status, '1.0')],
    message: messageOf(view),
    timestamp: view.changedAt,
  };
}

/** The seller's result; a task has one at most, and its id never changes. */
export function resultArtifact(taskId: string, result: Readonly<Record<string, unknown>>): Artifact {
  return {
    artifactId: derivedId('a2a artifact', taskId),
    name: 'result_payload',
    description: 'What the seller delivered',
    parts: [dataPart(result)],
    metadata: undefined,
    extensions: [],
  };
}

function messageOf({ id, contextId, changedAt, status, message }: TaskView): Message | undefined {
  if (message === null) return undefined;
  return {
    // The same state of the same task says the same.
    messageId: derivedId('a2a message', id, status, changedAt, message.text),
    contextId,
    taskId: id,
    role: Role.ROLE_AGENT,
    parts: [textPart(message.text), ...(message.data === null ? [] : [dataPart(message.data)])],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textPart(text: string): Part {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

function dataPart(value: Readonly<Record<string, unknown>>): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: 'application/json' };
}
