import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The peer of the streams: LISTEN, one query a notification, and a write to whoever is concerned. It knows no callers, no
 * resuming and no order between transactions. Process of its own.
 */
const connectionString = process.env['DATABASE_URL'];
const pool = new pg.Pool({ connectionString, max: 10 });
const listener = new pg.Client({ connectionString });
await listener.connect();
const streams = new Map<string, Set<ServerResponse>>();
/** The last event of each transaction that was sent. */
const sent = new Map<string, bigint>();
listener.on('notification', ({ payload }) => void tell(payload ?? ''));
await listener.query('listen event');

const server = createServer((request, response) => {
  // `/?user=…` or `/?transaction=…`
  const [of = ''] = new URL(request.url ?? '/', 'http://peer').searchParams.values();
  const mine = streams.get(of) ?? new Set();
  streams.set(of, mine.add(response));
  response.on('close', () => mine.delete(response));
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));

async function tell(transactionId: string): Promise<void> {
  const { rows } = await pool.query<{ seq: string; type: string; transaction_id: string; audience: string[] }>({
    name: 'after',
    text: 'select * from event where transaction_id = $1 and seq > $2 order by seq',
    values: [transactionId, sent.get(transactionId)?.toString() ?? '0'],
  });
  for (const event of rows) {
    // Another notification may have been quicker.
    if (BigInt(event.seq) <= (sent.get(transactionId) ?? 0n)) continue;
    sent.set(transactionId, BigInt(event.seq));
    const frame = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    for (const of of [event.transaction_id, ...event.audience])
      for (const stream of streams.get(of) ?? []) stream.write(frame);
  }
}
