import type { Settings } from '../../domain/settings.ts';
import type { GuardedClientOptions } from '../callback/guarded-client.ts';
import type { RelayParts } from './relay.ts';

/** What the settings say of webhooks, as their worker takes it. */
export function webhookSettings(settings: Settings): {
  readonly retry: RelayParts['retry'];
  readonly concurrency: number;
  readonly client: GuardedClientOptions;
  readonly publicUrl: string;
} {
  return {
    retry: {
      schedule_ms: settings.webhookRetryScheduleMs,
      timeout_ms: settings.webhookTimeoutMs,
      disable_after_ms: settings.webhookDisableAfterMs,
    },
    concurrency: settings.webhookConcurrency,
    client: {
      allowPrivate: settings.callbackAllowPrivate,
      dnsServers: settings.callbackDnsServers,
      maxPerHost: settings.webhookMaxPerHost,
    },
    publicUrl: settings.publicUrl,
  };
}
