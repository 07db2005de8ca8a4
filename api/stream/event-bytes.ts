import type { EventRecord } from '../../domain/event/event.ts';

const known = new WeakMap<EventRecord, Buffer>();

/** The frame of an event, made once for all the streams that it goes to. */
export function bytesOf(event: EventRecord): Buffer {
  const made = known.get(event);
  if (made !== undefined) return made;
  const bytes = Buffer.from(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  known.set(event, bytes);
  return bytes;
}
