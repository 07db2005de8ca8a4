import type { EventRecord } from '../../domain/event/event.ts';
import { frameOf } from './event-stream.ts';

const known = new WeakMap<EventRecord, Buffer>();

/** The frame of an event, made once for all the streams that it goes to. */
export function bytesOf(event: EventRecord): Buffer {
  const made = known.get(event);
  if (made !== undefined) return made;
  const bytes = Buffer.from(frameOf({ id: event.seq, event: event.type, data: event }));
  known.set(event, bytes);
  return bytes;
}
