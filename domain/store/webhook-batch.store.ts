import type { EventRecord } from '../event/event.ts';
import { derivedId } from '../identity/derived-id.ts';
import type { TransactionState } from '../transaction/transaction.ts';
import type { WebhookSubject } from '../webhook/webhook.ts';
import { eventColumns, eventOf, type EventRow } from './event.store.ts';
import type { Em } from './orm.ts';
import { prepare, run } from './prepared.ts';
import { findTransaction } from './transaction.store.ts';

/** Writes the body of a delivery; null where there is nothing to tell, and no delivery is made. See `renderBody`. */
export type Render = (webhook: WebhookSubject, event: EventRecord, state: TransactionState | null) => string | null;

/** An event, and a webhook that is to hear of it. */
export interface Meant {
  readonly seq: string;
  readonly webhook: WebhookSubject;
}

/** What was written, and the event that ended it early; null where all of it was written. */
export interface WrittenBatch {
  readonly deliveryCount: number;
  readonly endSeq: string | null;
}

interface NewDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_seq: string;
  readonly event_type: string;
  readonly body: string;
}

/** Of bodies, what one statement carries; one that is larger goes alone. So much of them is in memory. */
const portionBytes = 1024 * 1024;
/** Of bodies, what one SQL transaction writes, and the rest of the event that comes to it: what a relay that dies repeats. */
const batchBytes = 16 * portionBytes;

const eventBySeq = prepare('event-by-seq', `select ${eventColumns} from event e where e.seq = ?`);
const insertPortion = prepare(
  'insert-webhook-deliveries',
  `insert into webhook_delivery (id, webhook_id, event_seq, event_type, body, status, next_attempt_at, created_at)
   select d.id, d.webhook_id, d.event_seq, d.event_type, d.body, 'pending', ?::timestamptz, ?::timestamptz
   from json_to_recordset(?::json) as d (id uuid, webhook_id uuid, event_seq bigint, event_type text, body text)
   order by d.event_seq on conflict (id) do nothing`,
);

/**
 * Writes the deliveries of these, which are in the order of their events, within a SQL transaction. Ends behind the event
 * that fills the batch. Each body is rendered when its turn comes, and let go with its portion.
 */
export async function insertDeliveries(
  em: Em,
  meant: readonly Meant[],
  at: Date,
  render: Render,
): Promise<WrittenBatch> {
  let portion: NewDelivery[] = [];
  let [portionSize, batchSize, deliveryCount] = [0, 0, 0];
  let lastSeq: string | null = null;
  const write = async () => {
    if (portion.length > 0) await run(em, insertPortion, [at, at, JSON.stringify(portion)]);
    [portion, portionSize] = [[], 0];
  };
  for await (const delivery of renderedDeliveries(em, meant, render)) {
    if (batchSize >= batchBytes && delivery.event_seq !== lastSeq) {
      await write();
      return { deliveryCount, endSeq: lastSeq };
    }
    const size = Buffer.byteLength(delivery.body);
    if (portionSize + size > portionBytes) await write();
    portion.push(delivery);
    lastSeq = delivery.event_seq;
    portionSize += size;
    batchSize += size;
    deliveryCount += 1;
  }
  await write();
  return { deliveryCount, endSeq: null };
}

/** One after the other, with one event and one transaction in memory: both may be large. */
async function* renderedDeliveries(em: Em, meant: readonly Meant[], render: Render): AsyncGenerator<NewDelivery> {
  let event: EventRecord | null = null;
  let state: TransactionState | null = null;
  for (const { seq, webhook } of meant) {
    const { id: webhook_id, transaction_id } = webhook;
    if (event?.seq !== seq) event = await findEvent(em, seq);
    if (transaction_id !== null && state?.id !== transaction_id) state = await findTransaction(em, transaction_id);
    const body = render(webhook, event, transaction_id === null ? null : state);
    if (body === null) continue;
    yield { id: webhookDeliveryId(webhook_id, seq), webhook_id, event_seq: seq, event_type: event.type, body };
  }
}

async function findEvent(em: Em, seq: string): Promise<EventRecord> {
  const [row] = await run<EventRow>(em, eventBySeq, [seq]);
  if (row === undefined) throw new Error(`event ${seq} is not there`);
  return eventOf(row);
}

/** The id of the delivery of an event: the same whoever makes it, and so made once. */
function webhookDeliveryId(webhookId: string, eventSeq: string): string {
  return derivedId('webhook_delivery', webhookId, eventSeq);
}
