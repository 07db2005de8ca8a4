import http from 'node:http';
import { createParser } from 'eventsource-parser';

/** Holds streams open and notes when each event came. Process of its own, so that it shares no thread with a server. */
export interface StreamAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ReaderOrder =
  | { readonly open: readonly StreamAddress[] }
  /** Answers when so many frames came, or the time is over. */
  | { readonly collect: number; readonly withinMs: number }
  | { readonly close: true };

/** `stream`: its place in the list of addresses. */
export interface Frame {
  readonly stream: number;
  readonly seq: string;
  readonly transaction_id: string;
  readonly step: number;
  /** Epoch milliseconds, with fractions. */
  readonly receivedMs: number;
}

const openAtOnce = 50;
const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
let requests: http.ClientRequest[] = [];
let frames: Frame[] = [];
let onFrame = () => {};

process.on('message', (order: ReaderOrder) => void obey(order).then((answer) => process.send?.(answer)));

async function obey(order: ReaderOrder): Promise<unknown> {
  if ('open' in order) return await openAll(order.open);
  if ('collect' in order) return await collect(order.collect, order.withinMs);
  for (const request of requests) request.destroy();
  requests = [];
  frames = [];
  return 'closed';
}

async function openAll(addresses: readonly StreamAddress[]): Promise<number> {
  let next = 0;
  const lane = async () => {
    while (next < addresses.length) {
      const stream = next;
      next += 1;
      const address = addresses[stream];
      if (address !== undefined) await open(address, stream);
    }
  };
  await Promise.all(Array.from({ length: openAtOnce }, lane));
  return addresses.length;
}

/** Resolves with the first bytes of the stream. */
async function open({ url, headers }: StreamAddress, stream: number): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      const { seq, transaction_id, step } = JSON.parse(data) as Frame;
      // A transaction was made before anybody looked.
      if (step === 1) return;
      frames.push({ stream, seq, transaction_id, step, receivedMs: performance.timeOrigin + performance.now() });
      onFrame();
    },
  });
  await new Promise<void>((resolve, reject) => {
    const request = http.get(url, { agent, headers: { accept: 'text/event-stream', ...headers } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (chunk: string) => {
        resolve();
        parser.feed(chunk);
      });
    });
    // Closing them is how a round ends.
    request.on('error', reject);
    requests.push(request);
  });
}

async function collect(count: number, withinMs: number): Promise<readonly Frame[]> {
  await new Promise<void>((resolve) => {
    // What does not come by then is lost, and the measure says so.
    const timer = setTimeout(resolve, withinMs);
    onFrame = () => {
      if (frames.length < count) return;
      clearTimeout(timer);
      resolve();
    };
    onFrame();
  });
  onFrame = () => {};
  return frames;
}
