import { expect, it } from 'vitest';
import { readMessages, type ServerMessage } from '../../api/client/event-source.ts';

/** The stream in pieces of so many bytes. */
function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const count = Math.ceil(bytes.length / size);
  const pieces = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  return ReadableStream.from(pieces);
}

async function read(text: string, size: number): Promise<ServerMessage[]> {
  const messages: ServerMessage[] = [];
  for await (const message of readMessages(inPieces(text, size), () => undefined)) messages.push(message);
  return messages;
}

const lines = [
  ': open',
  '',
  'id: 1',
  'event: transaction.frozen',
  'data: {"who":"Zoë"}',
  '',
  'id:2',
  'data:first',
  'data:  second',
  '',
  ': still here',
  '',
  'id: 3',
  '',
  'retry: 5',
  'unknown',
  'data',
  '',
  'id: 9',
  'data: cut off',
];
const expected = [
  { id: '1', type: 'transaction.frozen', data: '{"who":"Zoë"}' },
  { id: '2', type: 'message', data: 'first\n second' },
  { id: '3', type: 'message', data: null },
  { id: null, type: 'message', data: '' },
];

it.for(['\n', '\r\n', '\r'])(
  'reads what the standard says, wherever the network cuts it, with line ends %j',
  async (end) => {
    for (let size = 1; size <= 40; size += 1)
      expect({ size, read: await read(lines.join(end), size) }).toEqual({ size, read: expected });
  },
);

it('gives up a message that does not end', async () => {
  const endless = ReadableStream.from([new Uint8Array(5 * 1024 * 1024).fill(65)]);
  await expect(readMessages(endless, () => undefined).next()).rejects.toThrow('too long');
});
