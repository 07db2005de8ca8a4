import { Role, type Message as WireMessage, type SendMessageRequest } from '@a2a-js/sdk';
import type { PushConfig } from '../../domain/a2a/push-config.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import { readMessage, type MessagePart, type Wish } from './message.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { chosenContextId } from './task-id.ts';
import type { Address } from './task.operations.ts';
import { readConfig } from './v1-push.ts';

interface Send {
  readonly wish: Wish;
  readonly address: Address;
  /** Null where the client does not say. */
  readonly waits: boolean | null;
  readonly push: PushConfig | null;
}

/** What a SendMessage of 1.0 or 0.3 asks for. */
export function readSend(params: SendMessageRequest): Send {
  const { message, configuration } = params;
  const push = configuration?.taskPushNotificationConfig;
  if (message === undefined) throw new ProtocolFault('invalid_params', 'message is required.');
  if (message.messageId === '' || message.messageId.length > 255)
    throw new ProtocolFault('invalid_params', 'message.messageId must have 1 to 255 characters.');
  if (message.role !== Role.ROLE_USER)
    throw new ProtocolFault('invalid_params', 'message.role must be that of the user.');
  const wish = readMessage({
    parts: message.parts.map(partOf),
    metadata: { ...params.metadata, ...message.metadata },
  });
  return {
    wish,
    address: addressOf(message),
    waits: configuration === undefined ? null : !configuration.returnImmediately,
    push: push === undefined ? null : readConfig(push),
  };
}

function addressOf({ taskId, contextId, messageId }: WireMessage): Address {
  return {
    taskId: taskId === '' ? null : taskId,
    contextId: chosenContextId(contextId),
    newTaskId: null,
    // Some clients number their messages within each task.
    fallbackKey: derivedId('a2a message', taskId, contextId, messageId),
  };
}

function partOf({ content }: WireMessage['parts'][number]): MessagePart {
  switch (content?.$case) {
    case 'text':
      return { kind: 'text', text: content.value };
    case 'data':
      return { kind: 'data', data: content.value as unknown };
    case 'raw':
    case 'url':
      return { kind: 'file' };
    case undefined:
      throw new ProtocolFault('invalid_params', 'Each part needs text, data, raw or url.');
  }
}
