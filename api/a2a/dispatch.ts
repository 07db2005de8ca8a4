import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import type { A2aCall } from './call.ts';
import { isObject, readRpc, type RpcRequest, type RpcResponse } from './json-rpc.ts';
import { faultTable, ProtocolFault } from './protocol-fault.ts';
import { rpcErrorOf } from './rpc-error.ts';
import { handleV0, v0Methods } from './v0-handler.ts';
import { requestHandler } from './v1-handler.ts';

/** One answer, or a stream of answers, which does nothing before the first is asked for; that may still throw. */
export type Outcome = RpcResponse | AsyncGenerator<RpcResponse, void, undefined>;

const legacyMethods: ReadonlySet<string> = new Set([
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]);

const methods: ReadonlySet<string> = new Set([
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
]);

/** Carries out one JSON-RPC request in the generation of the call. What is refused throws, or is an answer with `error`. */
export async function dispatch(call: A2aCall, body: unknown): Promise<Outcome> {
  switch (call.generation) {
    case '0.1':
      return await dispatchV0(call, readRpc(body, v0Methods));
    case '0.3': {
      const rpc = readRpc(body, legacyMethods);
      const outcome = await dispatchBySdk(call, rpc, LegacyJsonRpcTransportHandler);
      return isStream(outcome) ? withFinal(outcome) : outcome;
    }
    case '1.0':
      return await dispatchBySdk(call, readRpc(body, methods), JsonRpcTransportHandler);
  }
}

export function isStream(outcome: Outcome): outcome is Exclude<Outcome, RpcResponse> {
  return Symbol.asyncIterator in outcome;
}

async function dispatchV0(call: A2aCall, rpc: RpcRequest): Promise<Outcome> {
  const outcome = await handleV0(call, rpc);
  if ('result' in outcome) return { jsonrpc: '2.0', id: rpc.id, result: outcome.result };
  const { results } = outcome;
  return (async function* () {
    for await (const result of results) yield { jsonrpc: '2.0', id: rpc.id, result } as const;
  })();
}

async function dispatchBySdk(
  call: A2aCall,
  rpc: RpcRequest,
  Transport: typeof JsonRpcTransportHandler | typeof LegacyJsonRpcTransportHandler,
): Promise<Outcome> {
  let thrown: unknown = null;
  const transport = new Transport(requestHandler(call, (error) => (thrown = error)));
  const context = new ServerCallContext({ requestedVersion: call.generation });
  const outcome = (await transport.handle({ jsonrpc: '2.0', ...rpc }, context)) as Outcome;
  if (isStream(outcome) || outcome.error === undefined) return outcome;
  if (thrown !== null) throw thrown;
  // Parameters of a wrong type fail inside of the SDK, before a method of ours is called.
  if (outcome.error.code === faultTable.internal.code)
    return { ...outcome, error: rpcErrorOf(new ProtocolFault('invalid_params'), call.generation) };
  return outcome;
}

/** In 0.3 the last update of a stream says so; the SDK knows only of tasks that ended. */
async function* withFinal(
  stream: AsyncGenerator<RpcResponse, void, undefined>,
): AsyncGenerator<RpcResponse, void, undefined> {
  for await (const response of stream) {
    const { result } = response;
    const waits = isObject(result) && isObject(result['status']) && result['status']['state'] === 'input-required';
    const isUpdate = isObject(result) && result['kind'] === 'status-update';
    yield waits && isUpdate ? { ...response, result: { ...result, final: true } } : response;
  }
}
