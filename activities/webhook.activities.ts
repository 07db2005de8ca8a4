import { Context } from '@temporalio/activity';
import type { WebhookActivities } from '../workflows/webhook-messages.ts';
import { beating } from './beating.ts';
import { attemptDelivery, type AttemptParts } from './webhook/attempt.ts';
import { pushSignerOf } from './webhook/push-headers.ts';
import { relay, type RelayParts } from './webhook/relay.ts';

export type WebhookParts = Omit<AttemptParts, 'pushSigner'> &
  Omit<RelayParts, 'taskQueue'> & {
    /** In whose name agent protocols' notifications are signed. */
    readonly publicUrl: string;
  };

/** After so long a relay gives way to the next, so that heartbeats and histories stay short. */
const relayForMs = 5 * 60_000;
/** Each costs the server a write; the timeout is 10 s. */
const relayBeatsEveryMs = 3_000;

/** The relay of events to webhooks, and the attempts at their deliveries. */
export function webhookActivities(parts: WebhookParts & RelayParts): WebhookActivities {
  const pushSigner = pushSignerOf(parts.orm, parts.seal, parts.publicUrl);
  return {
    attemptDelivery: (start) => beating(() => attemptDelivery({ ...parts, pushSigner }, start)),
    async relayEvents() {
      const { cancellationSignal } = Context.current();
      await beating(() => relay(parts, cancellationSignal, relayForMs), relayBeatsEveryMs);
    },
  };
}
