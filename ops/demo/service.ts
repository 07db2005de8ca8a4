import { setTimeout as delay } from 'node:timers/promises';
import { marketplaceClient, type Credentials, type MarketplaceClient } from '../../api/client/client.ts';
import { tellNote } from './narrator.ts';

/** Long enough for whoever kills a part of the service meanwhile and starts it again. */
const giveUpAfterMs = 120_000;

/** The service under its address, for all who take part. */
export class Service {
  readonly baseUrl: string;
  readonly #pauseMs: number;

  /** `pauseMs`: how long to wait before each write, for an audience that wants to follow. */
  constructor(baseUrl: string, pauseMs: number) {
    this.baseUrl = baseUrl;
    this.#pauseMs = pauseMs;
  }

  /** The client of one caller. Whatever gives hope is tried again, and the reader is told. */
  clientOf(credentials?: Credentials): MarketplaceClient {
    return marketplaceClient({
      baseUrl: this.baseUrl,
      credentials,
      retry: { forMs: giveUpAfterMs, attemptsMax: Infinity },
      onRetry: ({ attempts, error }) => {
        if (attempts > 1) return;
        const same = error.idempotencyKey === null ? '' : ', with the same Idempotency-Key';
        tellNote(`${error.message.replace(/\.$/, '')}; trying again for up to ${seconds(giveUpAfterMs)}${same} …`);
      },
    });
  }

  async pause(): Promise<void> {
    await delay(this.#pauseMs);
  }
}

/** Waits for an answer, and tells how long it took where it did not come at the first try. */
export async function tellTries<A extends { readonly attempts: number }>(answering: Promise<A>): Promise<A> {
  const startMs = performance.now();
  const answer = await answering;
  const passedMs = performance.now() - startMs;
  if (answer.attempts > 1) tellNote(`… answered at try ${answer.attempts}, after ${seconds(passedMs)}.`);
  return answer;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
