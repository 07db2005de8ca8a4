import type { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import type { OperationClass } from '../../domain/caller.ts';
import type { PartyAsk } from '../../domain/transaction/command.ts';
import { parseBy } from '../parse.ts';
import { askable, classOf, readAsk } from '../transaction/party-ask.ts';
import { createTransactionBody } from '../transaction/transaction.schemas.ts';
import { isObject } from './json-rpc.ts';
import { ProtocolFault } from './protocol-fault.ts';

export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'file' };

/** A message as all generations have it. `metadata` is that of the request and of the message together. */
export interface Message {
  readonly parts: readonly MessagePart[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a message asks for: words to look for, something to buy, or an operation on what was bought. */
export type Wish = { readonly key: string | null } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'purchase'; readonly body: z.output<typeof createTransactionBody>; readonly freeze: boolean }
  | { readonly kind: 'operation'; readonly ask: PartyAsk; readonly operationClass: OperationClass }
);

/** Reads a message; its one part of data says what to do, its text counts where there is none. */
export function readMessage({ parts, metadata }: Message): Wish {
  const data = parts.filter((part) => part.kind === 'data');
  if (data.length > 1) throw new ProtocolFault('invalid_params', 'A message has one data part at most.');
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  if (data[0] !== undefined) return readData(data[0].data, metadata);
  if (text.trim() === '') {
    if (parts.some((part) => part.kind === 'file'))
      throw new ProtocolFault('content_type', 'Send a text part or a data part; files are not read.');
    throw new ProtocolFault('invalid_params', 'The message needs a text part or a data part.');
  }
  return { kind: 'words', text, key: null };
}

function readData(data: unknown, metadata: Message['metadata']): Wish {
  if (!isObject(data)) throw new ProtocolFault('invalid_params', 'The data part must be an object.');
  const key = keyOf(data, metadata);
  const { operation, idempotency_key: _key, ...fields } = data;
  if (operation !== undefined) return { ...readOperation(operation, fields), key };
  const { freeze = false } = metadata;
  if (typeof freeze !== 'boolean') throw invalidField('metadata.freeze', 'must be true or false');
  return { kind: 'purchase', body: parseBy(createTransactionBody, fields), freeze, key };
}

function keyOf(data: Readonly<Record<string, unknown>>, metadata: Message['metadata']): string | null {
  const [inData, inMetadata] = [data['idempotency_key'], metadata['idempotency_key']];
  if (inData !== undefined && inMetadata !== undefined && inData !== inMetadata)
    throw invalidField('idempotency_key', 'differs from metadata.idempotency_key');
  const key = inData ?? inMetadata;
  if (key !== undefined && typeof key !== 'string') throw invalidField('idempotency_key', 'must be a string');
  return key ?? null;
}

function readOperation(given: unknown, fields: Readonly<Record<string, unknown>>) {
  // REST writes it with a hyphen.
  const name = typeof given === 'string' ? given.replaceAll('-', '_') : '';
  const operation = askable.find((one) => one === name);
  if (operation === undefined) throw invalidField('operation', `must be one of ${askable.join(', ')}`);
  return { kind: 'operation', ask: readAsk(operation, fields), operationClass: classOf(operation) } as const;
}
