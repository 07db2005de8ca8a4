import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isTerminal } from '../../domain/transaction/transaction.ts';
import { tellNote } from './narrator.ts';
import { causeOf, type Credentials } from './service-client.ts';
import { transactionEvent } from './wire.ts';

const reconnectAfterMs = 1_000;

/** One event of a transaction, as far as the demo looks at it. */
export interface TransactionEvent {
  readonly id: string;
  readonly type: string;
  readonly operation: string;
}

/**
 * The events of a transaction until one with a terminal status. A broken stream is taken up again after the last event
 * seen. Rejects when the limit passes before the end.
 */
export async function* followEvents(
  baseUrl: string,
  transactionId: string,
  credentials: Credentials,
  timeoutMs: number,
): AsyncGenerator<TransactionEvent> {
  const url = `${baseUrl}/api/v1/transactions/${transactionId}/events`;
  const signal = AbortSignal.timeout(timeoutMs);
  let lastId = '';
  while (!signal.aborted) {
    try {
      for await (const message of await openStream(url, credentials, lastId, signal)) {
        lastId = message.id ?? lastId;
        const { operation, data } = transactionEvent.parse(JSON.parse(message.data));
        yield { id: lastId, type: message.event ?? 'message', operation };
        if (data.status !== undefined && isTerminal(data.status)) return;
      }
    } catch (error) {
      if (signal.aborted) break;
      tellNote(`The stream broke (${causeOf(error)}); it is resumed after event ${lastId || 'none'} …`);
    }
    await delay(reconnectAfterMs);
  }
  throw new Error(`The transaction ${transactionId} did not end within ${timeoutMs / 1_000} s.`);
}

async function openStream(url: string, credentials: Credentials, lastId: string, signal: AbortSignal) {
  const resume = lastId === '' ? {} : { 'last-event-id': lastId };
  const response = await fetch(url, { headers: { ...credentials, ...resume }, signal });
  if (!response.ok || response.body === null) throw new Error(`GET ${url} answered ${response.status}`);
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
