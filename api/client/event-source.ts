/** One message of a stream of server-sent events. */
export interface ServerMessage {
  readonly id: string | null;
  readonly type: string;
  /** Null where there is an id only: the place from which a later connection goes on. */
  readonly data: string | null;
}

/** A message that has no end yet is given up at this many characters. */
const longestMessage = 4 * 1024 * 1024;

/** Nothing that the service sends is so long, and another connection would bring it again. */
export class MessageTooLongError extends Error {
  override readonly name = 'MessageTooLongError';

  constructor() {
    super(`a message of the stream is too long: more than ${longestMessage} characters`);
  }
}

/**
 * Reads server-sent events as the HTML standard says. `onBytes` is called for whatever comes, comments included. Ends with
 * the stream; a message that the end cuts off does not count. Rejects with a MessageTooLongError, or as the stream does.
 */
export async function* readMessages(
  stream: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerMessage> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let wasCarriageReturn = false;
  let fields: string[] = [];
  let size = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      onBytes();
      const decoded = decoder.decode(chunk.value, { stream: true });
      // A line feed that belongs to a carriage return at the end of the chunk before.
      text += wasCarriageReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
      if (decoded !== '') wasCarriageReturn = decoded.endsWith('\r');
      const lines = text.split(/\r\n|\n|\r/);
      text = lines.pop() ?? '';
      for (const line of lines) {
        size += line.length;
        if (line !== '') {
          fields.push(line);
          continue;
        }
        const message = messageOf(fields);
        fields = [];
        size = 0;
        if (message !== null) yield message;
      }
      if (text.length + size > longestMessage) throw new MessageTooLongError();
    }
  } finally {
    // Also where the reader stops early: the connection is closed.
    await reader.cancel().catch(() => undefined);
  }
}

/** Null where nothing but comments came. */
function messageOf(lines: readonly string[]): ServerMessage | null {
  const data: string[] = [];
  let id: string | null = null;
  let type = 'message';
  for (const line of lines) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'event' && value !== '') type = value;
  }
  if (data.length === 0) return id === null ? null : { id, type, data: null };
  return { id, type, data: data.join('\n') };
}
