import { openEventListener, type EventListener } from '../../domain/store/event-listener.ts';
import { openEventTail, type EventTail } from '../../domain/store/event-tail.ts';

/** Word of events for this process: of one transaction as soon as it commits, of all in the order of their numbers. */
export interface EventFeed extends Pick<EventListener, 'subscribe'> {
  /** Aborts when the process stops: streams end then, and clients come back with Last-Event-ID. */
  readonly closed: AbortSignal;
  readonly tail: EventTail;
  close(): Promise<void>;
}

/** Listens over one connection of its own, which is opened again whenever it breaks. */
export function openEventFeed(databaseUrl: string): EventFeed {
  const listener = openEventListener(databaseUrl);
  const tail = openEventTail(listener);
  return {
    closed: listener.closed,
    subscribe: (transactionId, wake) => listener.subscribe(transactionId, wake),
    tail,
    close: async () => {
      await listener.close();
      await tail.close();
    },
  };
}
