import type { Dispatcher } from 'undici';
import type { AttemptResult } from '../../domain/store/webhook-delivery.store.ts';
import { parseRetryAfter } from '../../domain/webhook/retry.ts';
import type { AttemptOutcome, AttemptReason } from '../../domain/webhook/webhook.ts';
import { hostCap } from '../callback/host-cap.ts';
import { type GuardedClientOptions, type GuardedRequest, openGuardedClient } from '../callback/guarded-client.ts';

/** What is posted to a receiver, and where. */
export interface WebhookRequest extends Pick<GuardedRequest, 'url' | 'message'> {
  /** Whose webhook it is. */
  readonly userId: string;
  readonly timeoutMs: number;
}

/** What came of it; `busy`: as many requests as may be are under way to this host or for this user, and nothing was sent. */
export type WebhookAnswer = 'busy' | (AttemptResult & { readonly retryAfterMs: number | null });

export interface WebhookClient {
  /** Never rejects for anything a receiver does; for whatever `message` rejects with. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Closes all connections; what is under way fails. */
  close(): Promise<void>;
}

interface Verdict {
  readonly outcome: AttemptOutcome;
  readonly reason: AttemptReason | null;
  readonly retryAfterMs: number | null;
}

const never = new AbortController().signal;
const unsendable = {
  outcome: 'failed',
  reason: 'unsendable',
  http_status: null,
  latency_ms: 0,
  retryAfterMs: null,
} as const;

/** Posts to receivers over a guarded client of its own. Of an answer only the status and Retry-After count. */
export function openWebhookClient(options: GuardedClientOptions): WebhookClient {
  const client = openGuardedClient(options);
  // A user may have twenty hosts that never answer.
  const users = hostCap(options.maxPerHost);
  return {
    async post({ userId, timeoutMs, ...request }) {
      const leave = users.enter(userId);
      if (leave === null) return 'busy';
      try {
        // An attempt that was begun is ended, also while the worker stops: its time is short.
        const expiresAtMs = Date.now() + timeoutMs;
        const exchange = await client.post({ ...request, expiresAtMs, signal: never }, judge);
        const { judged, fault, http_status, latency_ms } = exchange;
        if (fault === 'host_busy') return 'busy';
        const verdict = judged ?? ({ outcome: 'failed', reason: fault, retryAfterMs: null } as const);
        return { ...verdict, http_status, latency_ms };
      } catch (error) {
        // A header that HTTP does not allow.
        if (error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG') return unsendable;
        throw error;
      } finally {
        leave();
      }
    },
    close: () => client.close(),
  };
}

function judge({ statusCode, headers }: Dispatcher.ResponseData): Promise<Verdict> {
  const header = headers['retry-after'];
  const retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, Date.now());
  return Promise.resolve({ ...verdictOf(statusCode), retryAfterMs });
}

function verdictOf(status: number): Pick<Verdict, 'outcome' | 'reason'> {
  if (status === 410) return { outcome: 'gone', reason: null };
  if (status >= 500) return { outcome: 'failed', reason: 'http_5xx' };
  if (status >= 400) return { outcome: 'failed', reason: 'http_4xx' };
  if (status >= 300) return { outcome: 'failed', reason: 'http_3xx' };
  return { outcome: 'delivered', reason: null };
}
