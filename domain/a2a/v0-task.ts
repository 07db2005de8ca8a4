import { taskStateOf } from './task-state.ts';
import type { TaskView } from './task-view.ts';

/** The ids by which a client of v0.1 knows a task: its own, not the platform's. */
export interface ClientIds {
  readonly id: string;
  readonly sessionId: string;
}

/**
 * A task as v0.1 has it. What the platform says stands in the history: the specification allows a message in the status,
 * but `a2a-json-rpc`, the library that its clients are made with, refuses one there.
 */
export function v0Task(view: TaskView, ids: ClientIds) {
  const { message, metadata } = view;
  const artifacts = v0Artifacts(view);
  return {
    ...ids,
    status: v0Status(view),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(message === null ? {} : { history: [{ role: 'agent', parts: partsOf(message) }] }),
    metadata,
  };
}

/** The status alone, as a stream of v0.1 tells it. */
export function v0Status({ status, changedAt }: TaskView) {
  return { state: taskStateOf(status, '0.1'), timestamp: changedAt };
}

/** The seller's result, or the capabilities that were proposed. */
export function v0Artifacts({ result, message }: TaskView) {
  const last = { index: 0, lastChunk: true };
  if (result !== null) return [{ name: 'result_payload', parts: [{ type: 'data', data: result }], ...last }];
  const isProposal = message !== null && message.data !== null;
  return isProposal ? [{ name: 'proposals', parts: partsOf(message), ...last }] : [];
}

function partsOf({ text, data }: NonNullable<TaskView['message']>) {
  return [{ type: 'text', text }, ...(data === null ? [] : [{ type: 'data', data }])];
}
