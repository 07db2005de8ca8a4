import type { PushCredential } from '../../domain/a2a/push-config.ts';
import type { DueDelivery } from '../../domain/store/webhook-delivery.store.ts';
import { postHeaders, signatureHeaders } from '../callback/signature.ts';
import { pushHeaders, type PushSigner } from './push-headers.ts';

/** A delivery with what was sealed of it opened. */
export interface OpenedDelivery extends Omit<DueDelivery, 'sealed' | 'sealed_credential'> {
  /** `whsec_…`, newest first; all of them sign. */
  readonly secrets: readonly string[];
  readonly body: string;
  /** What an agent protocol's client gave for us to show; null where it gave nothing. */
  readonly credential: string | null;
}

/** Only 1.0 has a media type of its own. */
const contentType = {
  'a2a-0.1': {},
  'a2a-0.3': {},
  'a2a-1.0': { 'content-type': 'application/a2a+json' },
} as const;

/** The headers of an attempt, by protocol. `webhook-id` is the same at every attempt, so that a repetition can be told. */
export async function headersOf(
  delivery: OpenedDelivery,
  now: Date,
  pushSigner: () => Promise<PushSigner>,
): Promise<Record<string, string>> {
  switch (delivery.protocol) {
    case 'events':
      return { ...postHeaders, ...signatureHeaders(delivery.id, delivery.secrets, delivery.body, now) };
    case 'a2a-0.1':
    case 'a2a-0.3':
    case 'a2a-1.0':
      return { ...postHeaders, ...contentType[delivery.protocol], ...(await headersOfPush(delivery, now, pushSigner)) };
  }
}

async function headersOfPush(
  { id, url, body, credential }: OpenedDelivery,
  now: Date,
  pushSigner: () => Promise<PushSigner>,
): Promise<Record<string, string>> {
  if (credential === null) throw new Error(`the webhook of delivery ${id} has no credential`);
  const opened = JSON.parse(credential) as PushCredential;
  return await pushHeaders({ id, url, body, credential: opened }, await pushSigner(), now);
}
