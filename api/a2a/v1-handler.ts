import {
  TaskState as WireState,
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
} from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { isTerminal } from '../../domain/transaction/transaction.ts';
import { agentCard } from './agent-card.ts';
import type { A2aCall } from './call.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { chosenContextId } from './task-id.ts';
import { sendWithPush } from './push-send.ts';
import { cancelTask } from './task.operations.ts';
import { listTasks, readTask, type TaskQuery } from './task.reads.ts';
import { endsStream, statusesIn, taskStates } from '../../domain/a2a/task-state.ts';
import { changesAfter, startOfStream } from './task-stream.ts';
import { taskOf, type TaskView } from '../../domain/a2a/task-view.ts';
import { readSend } from './v1-message.ts';
import { resultArtifact, wireStates, wireStatus, wireTask } from '../../domain/a2a/v1-task.ts';
import { pushMethods } from './v1-push.ts';
import { waitForTurn } from './wait.ts';

/**
 * What the SDK's transports of 1.0 and 0.3 call, for one request. They make an answer of what a method throws; `note` gets
 * it as it was.
 */
export function requestHandler(call: A2aCall, note: (thrown: unknown) => void): A2ARequestHandler {
  const noted =
    <P, R>(method: (params: P) => Promise<R>) =>
    async (params: P): Promise<R> => {
      try {
        return await method(params);
      } catch (error) {
        note(error);
        throw error;
      }
    };
  const configs = pushMethods(call);
  return {
    getAgentCard: async () => agentCard(call.deps.settings.publicUrl),
    getAuthenticatedExtendedAgentCard: noted(async () => {
      throw new ProtocolFault('no_extended_card');
    }),
    sendMessage: noted(async (params: SendMessageRequest) => {
      const { wish, address, waits, push } = readSend(params);
      const task = await sendWithPush(call, wish, address, push);
      return wireTask((waits ?? call.generation === '1.0') ? await waitForTurn(call, task) : task);
    }),
    sendMessageStream: async function* (params) {
      const { wish, address, push } = readSend(params);
      yield* follow(call, await sendWithPush(call, wish, address, push), true);
    },
    getTask: noted(async ({ id, historyLength }: GetTaskRequest) => {
      checkHistoryLength(historyLength);
      return wireTask(await readTask(call, id));
    }),
    listTasks: noted(async (params: ListTasksRequest) => await list(call, params)),
    cancelTask: noted(async ({ id, metadata }: CancelTaskRequest) => {
      const key = metadata?.['idempotency_key'] as unknown;
      return wireTask(await cancelTask(call, id, typeof key === 'string' ? key : null));
    }),
    resubscribe: async function* ({ id }) {
      const task = await readTask(call, id);
      if (isTerminal(task.status))
        throw new ProtocolFault('unsupported_operation', 'This task has ended. Get it instead.');
      yield* follow(call, task, false);
    },
    createTaskPushNotificationConfig: noted(configs.create),
    getTaskPushNotificationConfig: noted(configs.get),
    listTaskPushNotificationConfigs: noted(configs.list),
    deleteTaskPushNotificationConfig: noted(configs.delete),
  };
}

/** The task, then what happens to it. A subscriber waits also at a task that waits for input already. */
async function* follow(
  call: A2aCall,
  task: TaskView,
  endsAtFirst: boolean,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { state, first } = await startOfStream(call, task);
  yield { payload: { $case: 'task', value: wireTask(first) } };
  const ends = (status: TaskView['status']) => endsStream(status, call.generation);
  if (state === null || isTerminal(state.status) || (endsAtFirst && ends(first.status))) return;
  for await (const { record, isNewResult } of changesAfter(call.deps, state, ends, call.gone)) {
    const view = taskOf(record);
    const ids = { taskId: view.id, contextId: view.contextId };
    if (isNewResult && view.result !== null) {
      const artifact = resultArtifact(view.id, view.result);
      const value = { ...ids, artifact, append: false, lastChunk: true, metadata: undefined };
      yield { payload: { $case: 'artifactUpdate', value } };
    }
    const value = { ...ids, status: wireStatus(view), metadata: { ...view.metadata } };
    yield { payload: { $case: 'statusUpdate', value } };
  }
}

const defaultPageSize = 50;

async function list(call: A2aCall, params: ListTasksRequest) {
  const query = taskQuery(params);
  const { tasks, total, nextPageToken } = await listTasks(call, query);
  const shown = (task: Task): Task => (params.includeArtifacts === true ? task : { ...task, artifacts: [] });
  const wire = tasks.map((view) => shown(wireTask(view)));
  return { tasks: wire, nextPageToken, pageSize: query.pageSize, totalSize: total };
}

function taskQuery(params: ListTasksRequest): TaskQuery {
  const { pageSize = defaultPageSize, status, statusTimestampAfter, historyLength } = params;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100)
    throw new ProtocolFault('invalid_params', 'pageSize must be 1 to 100.');
  checkHistoryLength(historyLength);
  const isKnown = status !== WireState.UNRECOGNIZED && WireState[status] !== undefined;
  if (!isKnown) throw new ProtocolFault('invalid_params', 'status is no state of a task.');
  const statuses = taskStates.filter((name) => wireStates[name] === status).flatMap(statusesIn);
  const since = statusTimestampAfter === undefined ? null : new Date(statusTimestampAfter);
  if (since !== null && Number.isNaN(since.getTime()))
    throw new ProtocolFault('invalid_params', 'statusTimestampAfter must be a time.');
  return {
    contextId: chosenContextId(params.contextId),
    // No task ever waits for credentials: that filter finds none.
    statuses: status === WireState.TASK_STATE_UNSPECIFIED ? null : statuses,
    changedSince: since,
    pageSize,
    pageToken: params.pageToken,
  };
}

function checkHistoryLength(given: number | undefined): void {
  if (given !== undefined && (!Number.isInteger(given) || given < 0))
    throw new ProtocolFault('invalid_params', 'historyLength must be 0 or more.');
}
